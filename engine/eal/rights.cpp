#include "eal/rights.h"

#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace xlatperf::eal {

namespace {

constexpr std::array forbidden = {
    SYS_execve,
    SYS_execveat,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_setns,
    SYS_unshare,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_open_by_handle_at,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
};

#if defined(__x86_64__)
constexpr std::uint32_t ours = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t ours = AUDIT_ARCH_AARCH64;
#endif

constexpr std::initializer_list<int> to_close = {
    CAP_NET_ADMIN,    CAP_NET_RAW,          // interfaces and packet sockets
    CAP_SYS_NICE,                           // workers go on at their nice value
    CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH,  // a user's files and sockets, with sudo
};
constexpr std::initializer_list<int> only_to_open = {
    CAP_IPC_LOCK,  CAP_SYS_RESOURCE,  // memory
    CAP_SYS_ADMIN, CAP_SYS_RAWIO,     // its physical addresses; ports of PCI
    CAP_BPF,       CAP_PERFMON,       // AF_XDP's program
    CAP_FOWNER,    CAP_CHOWN,         // hugepages' files
};

std::uint64_t bits(const std::initializer_list<int>& capabilities) {
    std::uint64_t found = 0;
    for (const int one : capabilities) found |= std::uint64_t{1} << one;
    return found;
}

using Data = std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3>;

Data get() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    Data data{};
    syscall(SYS_capget, &header, data.data());
    return data;
}

// No more than it has. The kernel refuses that to nobody.
void keep(std::uint64_t wanted) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    Data data = get();
    for (std::size_t half = 0; half < data.size(); ++half) {
        const auto kept = static_cast<std::uint32_t>(wanted >> (32 * half));
        data[half].permitted &= kept;
        data[half].effective &= kept;
        data[half].inheritable = 0;
    }
    syscall(SYS_capset, &header, data.data());
}

constexpr sock_filter statement(std::uint16_t code, std::uint32_t value, std::uint8_t if_so = 0, std::uint8_t if_not = 0) {
    return {code, if_so, if_not, value};
}

}  // namespace

bool forbid_programs() {
    constexpr std::uint16_t load = BPF_LD | BPF_W | BPF_ABS, equal = BPF_JMP | BPF_JEQ | BPF_K, end = BPF_RET | BPF_K;
    constexpr std::uint32_t refuse = SECCOMP_RET_ERRNO | EPERM, other_abi = 0x40000000;
    constexpr auto calls = static_cast<std::uint8_t>(forbidden.size());
    std::vector<sock_filter> filter = {
        statement(load, offsetof(seccomp_data, arch)),
        statement(equal, ours, 0, calls + 3),  // other numbers are other calls: none of them
        statement(load, offsetof(seccomp_data, nr)),
        statement(BPF_JMP | BPF_JGE | BPF_K, other_abi, calls + 1, 0),
    };
    for (std::size_t i = 0; i < forbidden.size(); ++i) {
        const auto left = static_cast<std::uint8_t>(forbidden.size() - i);
        filter.push_back(statement(equal, static_cast<std::uint32_t>(forbidden[i]), left, 0));
    }
    filter.push_back(statement(end, SECCOMP_RET_ALLOW));
    filter.push_back(statement(end, refuse));
    const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

void keep_rights_to_open() { keep(bits(to_close) | bits(only_to_open)); }
void keep_rights_to_close() { keep(bits(to_close)); }
void give_up_all_rights() { keep(0); }

}  // namespace xlatperf::eal
