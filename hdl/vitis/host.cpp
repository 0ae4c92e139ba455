// SPDX-License-Identifier: MIT OR Apache-2.0
// A host of a card that is a Vitis kernel: copies files to the card's memory, runs a task, and writes the sums to a file. Not run on a
// board. docs/hardware.md, The card, has the registers; xrt::ip as in UG1393, Working with User-Managed Kernels.
//
//   g++ -std=c++17 -I"$XILINX_XRT/include" -L"$XILINX_XRT/lib" -o host hdl/vitis/host.cpp -lxrt_coreutil -pthread
//   ./host cyclone.xclbin cyclone_card commands x y u sums POINTS WINDOWS
//   ./host gypsophila.xclbin gypsophila_card indexes x y z sums POINTS WINDOWS TASKS
//   ./host msmac.xclbin msmac_card program points scalars sums POINTS WINDOWS ELEMENTS
//   ./host reclaimer.xclbin reclaimer_card scalars x y parts POINTS WINDOWS
//
// The files hold memory as the card reads and writes it.
#include <experimental/xrt_ip.h>
#include <experimental/xrt_xclbin.h>
#include <xrt/xrt_bo.h>
#include <xrt/xrt_device.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::uint64_t BEAT = 64;
constexpr std::uint32_t CARD = 0x43415244, CYCLONE = 0x4359434c, GYPSOPHILA = 0x47595053, MSMAC = 0x4d534d41, RECLAIMER = 0x5245434c;
// Addresses of the common registers. The arguments of kernel.xml have the others.
constexpr std::uint32_t IDENTITY = 0x000, MACHINE = 0x004, CONTROL = 0x008, STATUS = 0x00c, SHAPE = 0x01c, CYCLES = 0x050;
constexpr std::uint32_t START = 1, RESET = 2;
constexpr std::uint32_t RUNNING = 1, DRAINING = 2, DONE = 4, FAILED = 8;

std::uint64_t quotient(std::uint64_t dividend, std::uint64_t divisor) { return (dividend + divisor - 1) / divisor; }

// The arguments of a card's kernel, which are named after the files. A card without a third coordinate has two.
struct Names {
    std::uint32_t machine;
    const char *stream, *sums;
    std::vector<const char*> coordinates;
};

const std::map<std::string, Names> CARDS = {
    {"cyclone_card", {CYCLONE, "commands", "sums", {"x", "y", "u"}}},
    {"gypsophila_card", {GYPSOPHILA, "indexes", "sums", {"x", "y", "z"}}},
    {"reclaimer_card", {RECLAIMER, "scalars", "parts", {"x", "y"}}},
};

// The bytes of the card's memory that a task takes.
struct Task {
    std::uint32_t points, windows, number;
    std::uint64_t stream, coordinate, sums, ring;
};

Task cyclone(std::uint32_t shape, std::uint32_t points, std::uint32_t windows) {
    const std::uint32_t words = shape & 0xffff, beats = shape >> 16;
    const auto blocks = static_cast<std::uint32_t>(quotient(points, words) + 1);
    const std::uint64_t commands = std::max<std::uint64_t>(1, quotient(points, 8));
    return {points, windows, blocks, windows * commands * BEAT, points * 48ULL, windows * 4 * BEAT, blocks * beats * BEAT};
}

Task gypsophila(std::uint32_t shape, std::uint32_t points, std::uint32_t windows, std::uint32_t tasks) {
    const std::uint32_t elements = shape & 0xff, bits = shape >> 16 & 0xff;
    const bool is_bn254 = shape >> 24 == 1;
    if (tasks < 1 || tasks > elements) {
        throw std::runtime_error("expected from 1 to " + std::to_string(elements) + " tasks, the number of the card's elements");
    }
    const std::uint64_t row = elements * quotient(bits, 8);
    const std::uint64_t coordinate = is_bn254 ? 32 : 48, sum = (is_bn254 ? 3 : 4) * BEAT;
    return {points, windows, tasks, windows * quotient(points * row, BEAT) * BEAT, points * coordinate, tasks * sum, 0};
}

Task reclaimer(std::uint32_t shape, std::uint32_t points, std::uint32_t windows) {
    const std::uint32_t bits = shape >> 16 & 0xff;
    const bool is_bn254 = shape >> 24 == 1;
    return {points, windows, 0, points * 32ULL, points * (is_bn254 ? 32ULL : 48ULL), windows * bits * 2ULL * BEAT, 0};
}

std::vector<char> read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<char> read_file(const std::string& path, std::uint64_t bytes) {
    auto content = read_file(path);
    if (content.size() != bytes) {
        throw std::runtime_error(path + " has " + std::to_string(content.size()) + " bytes, but this task takes " +
                                 std::to_string(bytes));
    }
    return content;
}

class Card {
  public:
    Card(const std::string& path, const std::string& name)
        : binary(path), device(0), registers(device, device.load_xclbin(binary), "vitis_" + name) {
        const auto units = binary.get_kernel("vitis_" + name).get_cus();
        if (units.empty()) throw std::runtime_error(path + " has no kernel vitis_" + name);
        for (const auto& argument : units.front().get_args()) arguments.emplace(argument.get_name(), argument);
        if (read(IDENTITY) != CARD) throw std::runtime_error("the kernel's registers are not a card's: is the xclbin of this version?");
    }

    std::uint32_t read(std::uint32_t address) const { return registers.read_register(address); }

    std::uint64_t read_long(std::uint32_t address) const { return read(address) | static_cast<std::uint64_t>(read(address + 4)) << 32; }

    void set(const std::string& name, std::uint32_t value) { registers.write_register(offset(name), value); }

    // Allocates memory in the bank of an argument, whole beats, and writes its address to the argument's registers.
    xrt::bo allocate(const std::string& name, std::uint64_t bytes) {
        const auto banks = argument(name).get_mems();
        if (banks.empty()) throw std::runtime_error("the argument " + name + " has no memory");
        // The group of several banks has a higher index than the banks have.
        auto bank = banks.front().get_index();
        for (const auto& other : banks) bank = std::max(bank, other.get_index());
        xrt::bo buffer(device, std::max<std::uint64_t>(1, quotient(bytes, BEAT)) * BEAT, xrt::bo::flags::normal, bank);
        const std::uint64_t address = buffer.address();
        if (address % BEAT != 0) throw std::runtime_error("the memory of " + name + " does not begin with a beat of 64 bytes");
        registers.write_register(offset(name), static_cast<std::uint32_t>(address));
        registers.write_register(offset(name) + 4, static_cast<std::uint32_t>(address >> 32));
        return buffer;
    }

    xrt::bo copy(const std::string& name, const std::vector<char>& content) {
        auto buffer = allocate(name, content.size());
        if (!content.empty()) {
            buffer.write(content.data(), content.size(), 0);
            buffer.sync(XCL_BO_SYNC_BO_TO_DEVICE);
        }
        return buffer;
    }

    // Waits until the card takes a task. A task that another process has left is dropped.
    void make_idle() {
        if (read(STATUS) & RUNNING) registers.write_register(CONTROL, RESET);
        wait(RUNNING | DRAINING, 0);
    }

    void run() {
        registers.write_register(CONTROL, START);
        wait(RUNNING | DRAINING, 0);
        const auto status = read(STATUS);
        if ((status & FAILED) || !(status & DONE)) {
            char text[11];
            std::snprintf(text, sizeof text, "0x%08x", static_cast<unsigned>(status));
            throw std::runtime_error(std::string("the task ended with the status ") + text + " (docs/hardware.md, The card)");
        }
    }

  private:
    const xrt::xclbin::arg& argument(const std::string& name) const {
        const auto found = arguments.find(name);
        if (found == arguments.end()) throw std::runtime_error("the kernel has no argument " + name);
        return found->second;
    }

    std::uint32_t offset(const std::string& name) const { return static_cast<std::uint32_t>(argument(name).get_offset()); }

    void wait(std::uint32_t mask, std::uint32_t value) const {
        const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(5);
        while ((read(STATUS) & mask) != value) {
            if (std::chrono::steady_clock::now() > end) throw std::runtime_error("the card is still busy after five minutes");
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        }
    }

    xrt::xclbin binary;
    xrt::device device;
    xrt::ip registers;
    std::map<std::string, xrt::xclbin::arg> arguments;
};

std::uint32_t number(const char* text) {
    std::size_t end = 0;
    const unsigned long value = std::stoul(text, &end);
    if (text[end] != 0 || value == 0 || value > UINT32_MAX) throw std::runtime_error(std::string("expected a number instead of ") + text);
    return static_cast<std::uint32_t>(value);
}

// Runs the task that the card has, and writes its sums to a file.
void run_task(Card& card, xrt::bo& sums, std::uint64_t bytes, const char* path) {
    card.run();
    std::vector<char> result(bytes);
    sums.sync(XCL_BO_SYNC_BO_FROM_DEVICE);
    sums.read(result.data(), result.size(), 0);
    std::ofstream file(path, std::ios::binary);
    file.write(result.data(), static_cast<std::streamsize>(result.size()));
    file.close();
    if (!file) throw std::runtime_error(std::string("cannot write ") + path);
    std::printf("%llu cycles of ap_clk\n", static_cast<unsigned long long>(card.read_long(CYCLES)));
}

void run_msmac(char** values) {
    constexpr std::size_t INSTRUCTION = 16;
    const auto points = number(values[7]), windows = number(values[8]), elements = number(values[9]);
    Card card(values[1], values[2]);
    if (card.read(MACHINE) != MSMAC) throw std::runtime_error("the kernel has another machine");
    const auto shape = card.read(SHAPE);
    const std::uint32_t most = shape & 0xff, block = shape >> 16 & 0xff;
    const auto blocks = quotient(points, block);
    if (elements > most || blocks < elements) {
        throw std::runtime_error("expected at most " + std::to_string(std::min<std::uint64_t>(most, blocks)) +
                                 " elements, the card's elements, each with a block of points");
    }
    const auto program = read_file(values[3]);
    if (program.empty() || program.size() % INSTRUCTION != 0) {
        throw std::runtime_error(std::string(values[3]) + " does not hold instructions of 16 bytes");
    }
    const auto length = static_cast<std::uint32_t>(program.size() / INSTRUCTION);

    card.make_idle();
    card.set("points", points);
    card.set("windows", windows);
    card.set("length_elements", length | elements << 16);
    std::vector<xrt::bo> inputs;
    inputs.push_back(card.copy("program", program));
    inputs.push_back(card.copy("point", read_file(values[4], points * 64ULL)));
    inputs.push_back(card.copy("scalar", read_file(values[5], points * 32ULL)));
    const std::uint64_t bytes = std::uint64_t{elements} * windows * 2 * BEAT;
    auto sums = card.allocate("sums", bytes);
    run_task(card, sums, bytes, values[6]);
}

void run(int count, char** values) {
    const std::string name = count > 2 ? values[2] : "";
    if (name == "msmac_card" && count == 10) return run_msmac(values);
    const auto found = CARDS.find(name);
    const auto names = found == CARDS.end() ? Names{} : found->second;
    // Files of the stream, the coordinates and the sums, then numbers.
    const int sums_at = 4 + static_cast<int>(names.coordinates.size());
    const bool has_tasks = names.machine == GYPSOPHILA;
    if (found == CARDS.end() || count != sums_at + (has_tasks ? 4 : 3)) {
        throw std::runtime_error("expected XCLBIN cyclone_card COMMANDS X Y U SUMS POINTS WINDOWS, "
                                 "XCLBIN gypsophila_card INDEXES X Y Z SUMS POINTS WINDOWS TASKS, "
                                 "XCLBIN msmac_card PROGRAM POINTS SCALARS SUMS POINTS WINDOWS ELEMENTS, "
                                 "or XCLBIN reclaimer_card SCALARS X Y PARTS POINTS WINDOWS");
    }
    const auto points = number(values[sums_at + 1]), windows = number(values[sums_at + 2]);
    Card card(values[1], name);
    if (card.read(MACHINE) != names.machine) throw std::runtime_error("the kernel has another machine");
    const auto shape = card.read(SHAPE);
    const auto task = names.machine == CYCLONE      ? cyclone(shape, points, windows)
                      : names.machine == GYPSOPHILA ? gypsophila(shape, points, windows, number(values[sums_at + 3]))
                                                    : reclaimer(shape, points, windows);

    card.make_idle();
    card.set("points", task.points);
    card.set("windows", task.windows);
    if (names.machine == CYCLONE) card.set("blocks", task.number);
    if (has_tasks) card.set("tasks", task.number);
    std::vector<xrt::bo> inputs;
    inputs.push_back(card.copy(names.stream, read_file(values[3], task.stream)));
    for (std::size_t i = 0; i < names.coordinates.size(); i++) {
        inputs.push_back(card.copy(names.coordinates[i], read_file(values[4 + i], task.coordinate)));
    }
    if (names.machine == CYCLONE) inputs.push_back(card.allocate("ring", task.ring));
    auto sums = card.allocate(names.sums, task.sums);
    run_task(card, sums, task.sums, values[sums_at]);
}

}  // namespace

int main(int count, char** values) {
    try {
        run(count, values);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "host: %s\n", error.what());
        return 1;
    }
    return 0;
}
