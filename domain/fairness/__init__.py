"""Fair deals and a tamper-evident record: chance, the hash chain, the record and its verification."""
