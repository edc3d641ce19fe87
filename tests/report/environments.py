"""What environment.json says of a host, of a device and of the times of a campaign."""

from __future__ import annotations

from typing import Any

ENVIRONMENT: dict[str, Any] = {
    "host": {
        "name": "lab-7",
        "system": "Linux-6.18.0-x86_64",
        "kernel": "6.18.0",
        "cpu": "Example CPU E5-0000 @ 2.00GHz",
        "cpu_count": 2,
        "hypervisor": True,
        "memory": "8152044 kB",
        "kernel_parameters": {"/proc/sys/net/core/netdev_max_backlog": "1000"},
    },
    "software": {"xlatperf": "0.1.0", "python": "3.11.2", "packages": {"numpy": "2.4.6", "plotly": "7.1.0"}},
    "engine": {
        "version": "0.1.0",
        "dpdk": "DPDK 22.11.11",
        "hugepages": False,
        "cores": [1],
        "clock": {"source": "tsc", "hz": 1999999000.1, "uncertainty_ppm": 0.2, "invariant": True},
        "left": {
            "port": "net_af_packet0,iface=t0",
            "driver": "net_af_packet",
            "mac": "02:00:00:00:00:01",
            "link_up": True,
            "speed_mbps": 10000,
            "mtu": 1500,
            "receive_drops_known": True,
        },
        "right": {
            "port": "net_af_packet1,iface=t1",
            "driver": "net_af_packet",
            "mac": "02:00:00:00:00:02",
            "link_up": True,
            "speed_mbps": 0,
            "mtu": 1500,
            "receive_drops_known": False,
        },
    },
    "device": {
        "tayga": "0.9.2",
        "tayga.conf": "tun-device nat64\nprefix 2001:db8:6464::/96\nmap 198.18.0.0/16 2001:2::/112\n",
        "tun.queue_length": "10000",
        "kernel": "Linux 6.18.0 #1 SMP",
        "mtu": "1500",
    },
    "sessions": [{"started": "2026-11-20T14:05:11+00:00", "changed": []}],
}
