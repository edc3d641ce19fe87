"""Connections, subscribers, networks, flows, cores, sizes of the table and CPU use of a measurement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xlatperf.config.bench import Bench
from xlatperf.config.connections import AddressRange
from xlatperf.procedures.trial import Trial
from xlatperf.results.connection_records import AddressesRecord, ConnectionsRecord
from xlatperf.results.results import Measurement
from xlatperf.results.statistics import median
from xlatperf.run.cell_result import CellResult
from xlatperf.run.runs import Cell


def with_connections(
    measurement: Measurement, cell: Cell, done: CellResult, bench: Bench, trials: Mapping[int, Trial]
) -> Measurement:
    """The measurement with what RFC 9693 §6 wants reported, and the DUT's CPU use."""
    own = [trials[number] for repetition in measurement.repetitions for number in repetition.trials]
    final = [trials[one.final_trial] for one in measurement.repetitions if one.final_trial is not None]
    return measurement.model_copy(
        update={
            "connections": _connections(cell, bench, own),
            "establish_fps": done.conditions.establish_fps,
            "subscribers": cell.series.subscribers,
            "networks": cell.series.networks,
            "flows": cell.series.flows,
            "device_cores": cell.series.device_cores,
            "table_size": cell.series.table_size,
            "hash_size": cell.series.hash_size,
            "column": cell.column,
            "measure_number": cell.index + 1 if cell.column is not None else None,
            "device_cpu": _medians([trial.device_cpu for trial in final or own]),
            "device_idle": _medians([trial.device_idle for trial in final or own]),
            "device_vectors": _medians([trial.device_vectors for trial in final or own]),
        }
    )


def _connections(cell: Cell, bench: Bench, trials: Sequence[Trial]) -> ConnectionsRecord | None:
    space = bench.traffic.at(cell.series).connections
    if space is None:
        return None
    known = None
    for trial in trials:
        wanted, experiment = trial.request.connections, trial.experiment
        first = experiment.first_phase if experiment is not None else None
        phase = (first if first is not None else trial).connections
        if wanted is not None and wanted.count == cell.connections and phase is not None:
            known = phase
            break
    others = (trial.connections for trial in trials)
    sized = known or next((one for one in others if one is not None and one.bytes_per_connection is not None), None)
    return ConnectionsRecord(
        count=cell.connections,
        clients=_addresses(space.clients),
        client_ports=(space.client_ports.first, space.client_ports.last),
        servers=_addresses(space.servers),
        server_ports=known.server_ports if known is not None else None,
        enumeration=space.enumeration,
        read_order=space.read_order,
        write_order=space.write_order,
        bytes_per_connection=sized.bytes_per_connection if sized is not None else None,
    )


def _addresses(addresses: AddressRange) -> AddressesRecord:
    return AddressesRecord(first=addresses.first, addresses=addresses.addresses, step=addresses.step)


def _medians(trials: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Of each part in the trials that know it."""
    parts = sorted({name for known in trials for name in known})
    return {name: median([known[name] for known in trials if name in known]) for name in parts}
