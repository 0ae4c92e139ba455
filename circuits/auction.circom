// SPDX-License-Identifier: MIT OR Apache-2.0
pragma circom 2.1.5;

include "circomlib/circuits/comparators.circom";
include "circomlib/circuits/bitify.circom";
include "circomlib/circuits/poseidon.circom";

// A sealed-bid auction. Each bidder has published a commitment to a bid; the auctioneer, who knows them all, proves
// who wins and what the second price is, and no more. Of equal bids the earliest wins.
template Auction(bidders, bits) {
    signal input bids[bidders];
    signal input salts[bidders];
    signal output commitments[bidders];
    signal output winner;
    signal output price;

    // The best bid, its bidder and the second best bid of the first i bidders.
    signal best[bidders + 1];
    signal leader[bidders + 1];
    signal second[bidders + 1];
    signal leads[bidders];
    signal follows[bidders];
    signal runner[bidders];
    best[0] <== 0;
    leader[0] <== 0;
    second[0] <== 0;

    for (var i = 0; i < bidders; i++) {
        _ <== Num2Bits(bits)(bids[i]);
        commitments[i] <== Poseidon(2)([bids[i], salts[i]]);

        leads[i] <== LessThan(bits)([best[i], bids[i]]);
        follows[i] <== LessThan(bits)([second[i], bids[i]]);
        best[i + 1] <== best[i] + leads[i] * (bids[i] - best[i]);
        leader[i + 1] <== leader[i] + leads[i] * (i - leader[i]);
        runner[i] <== second[i] + follows[i] * (bids[i] - second[i]);
        second[i + 1] <== runner[i] + leads[i] * (best[i] - runner[i]);
    }
    winner <== leader[bidders];
    price <== second[bidders];
}
