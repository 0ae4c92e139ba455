// SPDX-License-Identifier: MIT OR Apache-2.0
// A card's memory behind AXI4: the ports of crates/hardware/src/memory, with the same outputs in each cycle, and data. The
// kinds of memory are in memory_kinds.h. crates/rtl compares the ports with the model's, and tb_axi_memory.sv makes a module of
// them. Names and comments of the model are not repeated here.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace memory {

struct Timing {
    uint32_t clock_khz, groups, banks, columns, accesses, burst, cl, cwl, rcd, rp, ras, ccd_l, rrd_s, rrd_l, faw, wtr_s, wtr_l, wr,
        rtp, rfc, refi, latency;
};

struct Kind {
    const char* name;
    Timing timing;
};

#include "memory_kinds.h"

constexpr size_t QUEUE = 32, BURSTS = 16, BEATS = 128;
constexpr uint32_t BATCH = 32;
constexpr uint64_t TURN = 2;
enum Direction { READ, WRITE };

class Channel {
    struct Access {
        size_t group, bank;
        uint64_t row, tag;
    };
    struct Bank {
        std::optional<uint64_t> row;
        uint64_t activate_at = 0, column_at = 0, precharge_at = 0;
    };
    Timing timing;
    uint64_t clock = 0;
    std::vector<Bank> banks;
    std::array<std::deque<Access>, 2> queues;
    int direction = READ;
    uint32_t batch = 0;
    std::array<std::vector<uint64_t>, 2> column_at;
    std::vector<uint64_t> activate_at;
    std::array<uint64_t, 4> activations{};
    size_t newest = 0;
    uint64_t refresh_at;

  public:
    struct Begun {
        int direction;
        uint64_t tag, offered_at;
    };

    Channel(const Timing& timing, uint64_t refresh_at)
        : timing(timing), banks(timing.groups * timing.banks), activate_at(timing.groups), refresh_at(refresh_at) {
        column_at.fill(std::vector<uint64_t>(timing.groups));
    }
    uint64_t now() const { return clock; }
    bool has_room(int direction) const { return queues[direction].size() + timing.accesses <= QUEUE; }
    void push(int direction, uint64_t beat, uint64_t tag) {
        for (uint64_t access = beat * timing.accesses; access < (beat + 1) * timing.accesses; access++) {
            const uint64_t group = access % timing.groups, above = access / timing.groups / timing.columns;
            const uint64_t bank = group + timing.groups * (above % timing.banks);
            queues[direction].push_back({size_t(group), size_t(bank), above / timing.banks, tag});
        }
    }
    std::optional<Begun> tick() {
        clock++;
        if (clock >= refresh_at) {
            refresh();
            return {};
        }
        const int other = 1 - direction;
        if (!queues[other].empty() && (queues[direction].empty() || batch >= BATCH)) {
            direction = other;
            batch = 0;
        }
        uint64_t blocked = 0;
        std::optional<Access> row_of;
        const auto& queue = queues[direction];
        for (size_t place = 0; place < queue.size(); place++) {
            const Access& access = queue[place];
            if (blocked >> access.bank & 1) continue;
            blocked |= uint64_t(1) << access.bank;
            const Bank& bank = banks[access.bank];
            if (bank.row == access.row) {
                if (clock >= std::max(bank.column_at, column_at[direction][access.group])) return begin(place);
            } else if (!row_of) {
                const uint64_t at = bank.row ? bank.precharge_at
                                             : std::max({bank.activate_at, activate_at[access.group],
                                                         activations[newest] + timing.faw});
                if (clock >= at) row_of = access;
            }
        }
        if (row_of) change_row(*row_of);
        return {};
    }

  private:
    std::optional<Begun> begin(size_t place) {
        const Access access = queues[direction][place];
        queues[direction].erase(queues[direction].begin() + place);
        const bool read = direction == READ;
        const uint64_t ended = clock + timing.cwl + timing.burst;
        for (size_t group = 0; group < activate_at.size(); group++) {
            const bool near = group == access.group;
            const uint64_t same = clock + (near ? timing.ccd_l : timing.burst);
            const uint64_t turned = read ? clock + timing.cl + timing.burst + TURN - timing.cwl
                                         : ended + (near ? timing.wtr_l : timing.wtr_s);
            auto at_least = [&](int side, uint64_t at) {
                column_at[side][group] = std::max(column_at[side][group], at);
            };
            at_least(direction, same);
            at_least(1 - direction, turned);
        }
        Bank& bank = banks[access.bank];
        bank.precharge_at = std::max(bank.precharge_at, read ? clock + timing.rtp : ended + timing.wr);
        batch++;
        return Begun{direction, access.tag, clock + timing.cl + timing.burst + timing.latency};
    }
    void change_row(const Access& access) {
        Bank& bank = banks[access.bank];
        if (bank.row) {
            bank.row.reset();
            bank.activate_at = clock + timing.rp;
            return;
        }
        bank.row = access.row;
        bank.column_at = clock + timing.rcd;
        bank.precharge_at = clock + timing.ras;
        for (size_t group = 0; group < activate_at.size(); group++) {
            const uint64_t gap = group == access.group ? timing.rrd_l : timing.rrd_s;
            activate_at[group] = std::max(activate_at[group], clock + gap);
        }
        activations[newest] = clock;
        newest = (newest + 1) % 4;
    }
    void refresh() {
        auto open = [](const Bank& bank) { return bank.row.has_value(); };
        if (std::any_of(banks.begin(), banks.end(), open)) {
            auto may_close = [&](const Bank& bank) { return !bank.row || clock >= bank.precharge_at; };
            if (!std::all_of(banks.begin(), banks.end(), may_close)) return;
            for (Bank& bank : banks) {
                if (!bank.row) continue;
                bank.row.reset();
                bank.activate_at = clock + timing.rp;
            }
        } else if (std::all_of(banks.begin(), banks.end(), [&](const Bank& b) { return clock >= b.activate_at; })) {
            for (Bank& bank : banks) bank.activate_at = clock + timing.rfc;
            refresh_at += timing.refi;
        }
    }
};

struct Inputs {
    bool read, write, data, takes_data, takes_response;
    uint64_t read_beat, write_beat;
    uint32_t read_beats, write_beats;
};

struct Outputs {
    bool takes_read, takes_write, takes_data, data, last, response;
    uint64_t beat;
};

class Port {
    struct Burst {
        uint64_t beat;
        uint32_t left;
    };
    struct Beat {
        uint64_t beat;
        bool last;
        uint32_t left;
        uint64_t offered_at;
    };
    Timing timing;
    Channel channel;
    uint64_t core_khz;
    uint64_t behind = 0;
    std::array<std::deque<Burst>, 2> bursts;
    std::deque<Beat> beats;
    std::deque<uint32_t> written;
    std::array<uint64_t, 2> first{};
    Outputs current{};
    uint32_t pauses;
    uint32_t random;

  public:
    Port(const Timing& timing, uint32_t core_khz, uint32_t phase, uint32_t pauses)
        : timing(timing),
          channel(timing, uint64_t(timing.refi) * (phase + 1) / 256),
          core_khz(core_khz),
          pauses(pauses),
          random(phase + 1) {}
    const Outputs& outputs() const { return current; }
    // The beat that is written if the inputs of this cycle write one.
    uint64_t next_written() const { return bursts[WRITE].front().beat; }
    void cycle(const Inputs& inputs) {
        take(inputs);
        if (!bursts[READ].empty() && beats.size() < BEATS && channel.has_room(READ)) {
            const auto [beat, left] = bursts[READ].front();
            channel.push(READ, beat, first[READ] + beats.size());
            beats.push_back({beat, left == 1, timing.accesses, 0});
            step(READ);
        }
        for (behind += timing.clock_khz; behind >= core_khz; behind -= core_khz) {
            const auto begun = channel.tick();
            if (!begun) continue;
            const size_t place = begun->tag - first[begun->direction];
            if (begun->direction == WRITE) {
                written[place]--;
            } else {
                beats[place].left--;
                beats[place].offered_at = begun->offered_at;
            }
        }
        offer(inputs);
    }

  private:
    void take(const Inputs& inputs) {
        if (current.takes_read && inputs.read) bursts[READ].push_back({inputs.read_beat, inputs.read_beats});
        if (current.takes_data && inputs.data) {
            channel.push(WRITE, next_written(), first[WRITE] + written.size() - bursts[WRITE].size());
            step(WRITE);
        }
        if (current.takes_write && inputs.write) {
            bursts[WRITE].push_back({inputs.write_beat, inputs.write_beats});
            written.push_back(inputs.write_beats * timing.accesses);
        }
        if (current.data && inputs.takes_data) {
            beats.pop_front();
            first[READ]++;
        }
        if (current.response && inputs.takes_response) {
            written.pop_front();
            first[WRITE]++;
        }
    }
    void step(int direction) {
        Burst& burst = bursts[direction].front();
        burst.beat++;
        if (--burst.left == 0) bursts[direction].pop_front();
    }
    void offer(const Inputs& inputs) {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        auto works = [&](int place) { return (random >> (8 * place) & 0xff) >= pauses; };
        const bool stays = current.data && !inputs.takes_data;
        const bool answered = current.response && !inputs.takes_response;
        const bool ready = !beats.empty() && beats.front().left == 0 && beats.front().offered_at <= channel.now();
        current.takes_read = bursts[READ].size() < BURSTS && works(0);
        current.takes_write = written.size() < BURSTS && works(1);
        current.takes_data = !bursts[WRITE].empty() && channel.has_room(WRITE) && works(2);
        current.data = ready && (stays || works(3));
        current.beat = current.data ? beats.front().beat : 0;
        current.last = current.data && beats.front().last;
        current.response = !written.empty() && written.front() == 0 && (answered || works(3));
    }
};

// A port with data. Bytes that nobody wrote are zero. Beats from `size` on answer DECERR: nothing is stored, and zeros are
// read. A burst that leaves its 4 KiB, does not increment, or has other than whole beats of 64 bytes breaks the contract; so does
// a `last` at another place.
class AxiMemory {
    static constexpr uint8_t OKAY = 0, DECERR = 3;
    using Beat = std::array<uint32_t, 16>;
    const Port empty;
    Port port;
    std::map<uint64_t, Beat> beats;
    const uint64_t size;
    struct Write {
        uint32_t left;
        uint8_t resp;
    };
    std::deque<Write> writes;
    // Responses of bursts whose beats have all come.
    std::deque<uint8_t> responses;

  public:
    struct Request {
        bool valid;
        uint64_t address;
        uint32_t len, size, burst;
    };
    Outputs outputs{};
    Beat data{};
    uint8_t rresp = OKAY, bresp = OKAY;

    AxiMemory(const Timing& timing, uint32_t core_khz, uint32_t phase, uint32_t pauses, uint64_t size)
        : empty(timing, core_khz, phase, pauses), port(empty), size(size) {}
    // Empties the port. The data stay.
    void reset() {
        port = empty;
        outputs = {};
        writes.clear();
        responses.clear();
    }
    // The data of a beat, as the host's copies reach them.
    Beat& at(uint64_t beat) { return beats[beat]; }
    // Returns false if the master broke the protocol.
    bool cycle(const Request& read, const Request& write, bool wvalid, bool wlast, const uint32_t* wdata, uint64_t wstrb,
               bool rready, bool bready) {
        bool valid = holds(read) && holds(write);
        const Inputs inputs{read.valid,         write.valid,         wvalid,       rready,       bready,
                            read.address / 64, write.address / 64, read.len + 1, write.len + 1};
        if (outputs.response && bready) responses.pop_front();
        if (outputs.takes_data && wvalid) {
            const uint64_t at = port.next_written();
            Write& burst = writes.front();
            valid &= wlast == (burst.left == 1);
            if (at < size) {
                Beat& beat = beats[at];
                auto* bytes = reinterpret_cast<unsigned char*>(beat.data());
                const auto* from = reinterpret_cast<const unsigned char*>(wdata);
                for (int i = 0; i < 64; i++)
                    if (wstrb >> i & 1) bytes[i] = from[i];
            } else {
                burst.resp = DECERR;
            }
            if (--burst.left == 0) {
                responses.push_back(burst.resp);
                writes.pop_front();
            }
        }
        if (outputs.takes_write && write.valid) writes.push_back({write.len + 1, OKAY});
        const bool stays = outputs.data && !rready;
        port.cycle(inputs);
        outputs = port.outputs();
        if (outputs.data && !stays) {
            const auto found = beats.find(outputs.beat);
            data = found == beats.end() ? Beat{} : found->second;
            rresp = outputs.beat < size ? OKAY : DECERR;
        }
        if (outputs.response) bresp = responses.front();
        return valid;
    }

  private:
    static bool holds(const Request& request) {
        const uint64_t last = request.address + 64 * uint64_t(request.len);
        return !request.valid ||
               (request.size == 6 && request.burst == 1 && request.address % 64 == 0 && request.address / 4096 == last / 4096);
    }
};

}  // namespace memory
