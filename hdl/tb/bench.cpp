// SPDX-License-Identifier: MIT OR Apache-2.0
// The C ABI of the simulated benches, which crates/rtl drives.
//
// Every bench has the same ports (docs/hardware.md), all wide ones in words of 32 bits, lowest first. A bench is opened
// by the name that benches.h gives it. Nothing here is shared between benches, so each may run on a thread of its own.
//
// Behind it, the memory of axi_memory.h: its ports alone, for the comparison with the model, and the functions of
// tb_axi_memory.sv.
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "axi_memory.h"
#include "verilated.h"
#ifdef COVERAGE
#include "verilated_cov.h"
#endif
#include "verilated_vcd_c.h"

namespace {

struct Bench {
    virtual ~Bench() = default;
    virtual uint32_t inputs() const = 0;
    virtual uint32_t outputs() const = 0;
    virtual uint32_t latency() const = 0;
    virtual void drive(bool reset, bool valid, bool ready, const uint32_t* in) = 0;
    virtual void sample(bool* valid, bool* ready, uint32_t* out) const = 0;
    virtual void edge() = 0;
    virtual bool failed() const = 0;
    virtual bool trace(const char* path, uint64_t cycles) = 0;
    virtual bool finish_trace() = 0;
};

// If the device is full, the rest of the waves is dropped and the caller is told; Verilator would end the process.
struct WaveFile final : VerilatedVcdFile {
    bool complete = true;

    ssize_t write(const char* bytes, ssize_t size) override {
        if (!complete) return size;
        const ssize_t written = VerilatedVcdFile::write(bytes, size);
        if (written >= 0 || errno == EINTR || errno == EAGAIN) return written;
        complete = false;
        return size;
    }
};

template <class Model, bool Traced>
class Simulation final : public Bench {
    VerilatedContext context;
    Model model{&context};
    WaveFile file;
    std::unique_ptr<VerilatedVcdC> waves;
    // Number of cycles that are still to be written.
    uint64_t traced = 0;

    // Assertions and destructors find the context by the thread, and a thread may have several contexts.
    void enter() { Verilated::threadContextp(&context); }

  public:
    Simulation() {
        // The caller finds a failed assertion; the process must not end.
        context.fatalOnError(false);
        context.traceEverOn(Traced);
        model.clk_i = 0;
        model.eval();
    }
    ~Simulation() override {
        enter();
        model.final();
        finish_trace();
#ifdef COVERAGE
        static std::atomic<unsigned> closed{0};
        const std::string name = model.modelName() + std::string("-") + std::to_string(closed++) + ".dat";
        if (const char* folder = std::getenv("RTL_COVERAGE")) {
            context.coveragep()->write((folder + ("/" + name)).c_str());
        }
#endif
    }
    uint32_t inputs() const override { return sizeof(model.in_i) / 4; }
    uint32_t outputs() const override { return sizeof(model.out_o) / 4; }
    uint32_t latency() const override { return model.latency_o; }
    void drive(bool reset, bool valid, bool ready, const uint32_t* in) override {
        enter();
        model.rst_i = reset;
        model.valid_i = valid;
        model.ready_i = ready;
        std::memcpy(&model.in_i, in, sizeof(model.in_i));
        model.eval();
        if (waves) waves->dump(context.time());
    }
    void sample(bool* valid, bool* ready, uint32_t* out) const override {
        *valid = model.valid_o;
        *ready = model.ready_o;
        std::memcpy(out, &model.out_o, sizeof(model.out_o));
    }
    void edge() override {
        enter();
        step(1);
        step(0);
        if (waves && --traced == 0) waves.reset();
    }
    bool failed() const override { return context.gotError(); }
    bool trace(const char* path, uint64_t cycles) override {
        if constexpr (Traced) {
            enter();
            traced = cycles;
            waves = std::make_unique<VerilatedVcdC>(&file);
            model.trace(waves.get(), 99);
            waves->open(path);
            return waves->isOpen();
        }
        return false;
    }
    bool finish_trace() override {
        enter();
        waves.reset();
        return file.complete;
    }

  private:
    // Half a cycle.
    void step(bool clock) {
        context.timeInc(1);
        model.clk_i = clock;
        model.eval();
        if (waves && clock) waves->dump(context.time());
    }
};

template <class Model, bool Traced>
Bench* open() {
    return new Simulation<Model, Traced>;
}

}  // namespace

// Written by build.rs: a header per model, and `BENCHES`, the names with the functions that open them.
#include "benches.h"

extern "C" {
Bench* bw_bench_open(const char* name) {
    for (const auto& bench : BENCHES)
        if (std::strcmp(bench.name, name) == 0) return bench.open();
    return nullptr;
}
void bw_bench_close(Bench* bench) { delete bench; }
uint32_t bw_bench_inputs(const Bench* bench) { return bench->inputs(); }
uint32_t bw_bench_outputs(const Bench* bench) { return bench->outputs(); }
uint32_t bw_bench_latency(const Bench* bench) { return bench->latency(); }
void bw_bench_drive(Bench* bench, bool reset, bool valid, bool ready, const uint32_t* in) {
    bench->drive(reset, valid, ready, in);
}
void bw_bench_sample(const Bench* bench, bool* valid, bool* ready, uint32_t* out) {
    bench->sample(valid, ready, out);
}
void bw_bench_edge(Bench* bench) { bench->edge(); }
bool bw_bench_failed(const Bench* bench) { return bench->failed(); }
bool bw_bench_trace(Bench* bench, const char* path, uint64_t cycles) { return bench->trace(path, cycles); }
bool bw_bench_finish_trace(Bench* bench) { return bench->finish_trace(); }

// `numbers` are the timing's, in its order; `inputs` and `outputs` are flags, in the order of the structures.
memory::Port* bw_port_open(const uint32_t* numbers, uint32_t core_khz, uint8_t phase, uint8_t pauses) {
    memory::Timing timing;
    std::memcpy(&timing, numbers, sizeof(timing));
    return new memory::Port(timing, core_khz, phase, pauses);
}
void bw_port_close(memory::Port* port) { delete port; }
uint64_t bw_port_cycle(memory::Port* port, uint32_t inputs, uint64_t read_beat, uint32_t read_beats, uint64_t write_beat,
                       uint32_t write_beats) {
    auto flag = [&](int bit) { return (inputs >> bit & 1) != 0; };
    port->cycle({flag(0), flag(1), flag(2), flag(3), flag(4), read_beat, write_beat, read_beats, write_beats});
    const memory::Outputs& outputs = port->outputs();
    return outputs.takes_read | outputs.takes_write << 1 | outputs.takes_data << 2 | outputs.data << 3 | outputs.last << 4 |
           outputs.response << 5 | outputs.beat << 6;
}

void* axi_memory_open(int kind, int core_khz, int phase, int pauses, int beats) {
    return new memory::AxiMemory(memory::KINDS[kind].timing, core_khz, phase, pauses, beats);
}
void axi_memory_close(void* handle) { delete static_cast<memory::AxiMemory*>(handle); }
void axi_memory_poke(void* handle, int beat, const uint32_t* data) {
    auto& at = static_cast<memory::AxiMemory*>(handle)->at(beat);
    std::memcpy(at.data(), data, sizeof(at));
}
void axi_memory_peek(void* handle, int beat, uint32_t* data) {
    const auto& at = static_cast<memory::AxiMemory*>(handle)->at(beat);
    std::memcpy(data, at.data(), sizeof(at));
}
void axi_memory_reset(void* handle) { static_cast<memory::AxiMemory*>(handle)->reset(); }
unsigned char axi_memory_cycle(void* handle, const uint32_t* request, const uint32_t* data, uint32_t* flags, uint32_t* read) {
    auto* memory = static_cast<memory::AxiMemory*>(handle);
    // The fields of tb_axi_memory's `request`: {ar, aw, wvalid, wlast, wstrb, rready, bready}, 16 bits of flags, then words.
    auto bit = [&](int place) { return (request[0] >> place & 1) != 0; };
    auto wide = [&](int word) { return request[word] | uint64_t(request[word + 1]) << 32; };
    auto ask = [&](bool valid, int word) {
        return memory::AxiMemory::Request{valid, wide(word), request[word + 2] & 0xff, request[word + 2] >> 8 & 7,
                                          request[word + 2] >> 11 & 3};
    };
    const bool valid = memory->cycle(ask(bit(0), 1), ask(bit(1), 4), bit(2), bit(3), data, wide(7), bit(4), bit(5));
    const memory::Outputs& outputs = memory->outputs;
    *flags = outputs.takes_read | outputs.takes_write << 1 | outputs.takes_data << 2 | outputs.data << 3 | outputs.last << 4 |
             outputs.response << 5 | memory->rresp << 6 | memory->bresp << 8;
    std::memcpy(read, memory->data.data(), sizeof(memory->data));
    return valid;
}
}
