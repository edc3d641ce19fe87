// The engine reads frames from whoever sends them, mostly as root: it gives up what it doesn't need for that, so that whoever
// gets hold of it gets hold of little (capabilities(7), seccomp(2)).
#pragma once

namespace xlatperf::eal {

/// From now on no thread can start a program, trace another process, load a kernel module, mount or change its namespaces, and no
/// file gives it rights. Returns whether the kernel can do that. Called before there are other threads, which inherit it.
bool forbid_programs();

/// Of the calling thread, and those that it starts: the capabilities that ports, memory and files may need when they are opened.
void keep_rights_to_open();
/// Of the calling thread: those that open ports may still need, to be closed and connected again.
void keep_rights_to_close();
/// Of the calling thread.
void give_up_all_rights();

}  // namespace xlatperf::eal
