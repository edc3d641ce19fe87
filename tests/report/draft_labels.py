"""Row labels of draft-lencse-v6ops-transition-scalability-05, as its figures have them, `|` between them."""

FIG_2 = (
    "num. CPU cores | src ports | dst ports | num. conn. | contrack t. s. | hash table size | c.t.s/num.conn. | "
    "num. experiments | error | cps median | cps min | cps max | cps rel. scale up | throughput median | "
    "throughput min | throughput max | tp. rel. scale up"
)
FIG_4 = (
    "num. conn. | src ports | dst ports | contrack t. s. | hash table size | num. exp. | error | n.c./h.t.s. | "
    "cps median | cps min | cps max | throughput med. | throughput min | throughput max"
)
FIG_5 = (
    "num. conn. | src ports | dst ports | contrack t. s. | hash table size | num. exp. | n.c./h.t.s. | "
    "full contr. del med | full contr. del min | full contr. del max | empty contr. del med | empty contr. del min | "
    "empty contr. del max | conn. deletion time | conn. tear d. rate"
)
FIG_8 = (
    "num. CPU cores | src ports | dst ports | num. conn. | num. experiments | error | cps median | cps min | cps max | "
    "cps rel. scale up | throughput median | throughput min | throughput max | tp. rel. scale up"
)
FIG_9 = (
    "num. conn. | src ports | dst ports | num. exp. | error | cps median | cps min | cps max | throughput med. | "
    "throughput min | throughput max"
)
FIG_10 = (
    "num. conn. | src ports | dst ports | num. exp. | full contr. del med | full contr. del min | "
    "full contr. del max | empty contr. del med | conn. deletion time | conn. t. d. r. (M)"
)
FIG_11 = "alpha | num. conn. | src ports | dst ports | num. exp. | error | cps median | cps min | cps max"
FIG_12 = (
    "Number of connections | Source port numbers | Destination port numbers | Error (cps) | Median (cps) | "
    "Minimum (cps) | Maximum (cps) | Median / previous median | Error (fps) | Median (fps) | Minimum (fps) | "
    "Maximum (fps) | Median / previous median"
)
FIG_13 = (
    "Number of connections | Source port numbers | Destination port numbers | Filled table deletion time med. (s) | "
    "Filled table deletion time min. (s) | Filled table deletion time max. (s) | Empty table deletion time med. (s) | "
    "Empty table deletion time min. (s) | Empty table deletion time max. (s) | Connections deletion time (s) | "
    "Connection tear down rate (cps)"
)
