(set-info :smt-lib-version 2.6)
(set-logic QF_LIA)
(set-info :source |
plan
|)
(set-info :category "industrial")
(set-info :status unsat)
(declare-const schedule Bool)
(declare-const now Int)
(declare-const claim Bool)
(declare-const byte Int)
(declare-const region Int)
(declare-const fault_0 Bool)
(declare-const fault_1 Bool)
(declare-const fault_2 Bool)
(declare-const fault_3 Bool)
(declare-const fault_4 Bool)
(declare-const fault_5 Bool)
(declare-const fault_6 Bool)
(declare-const fault_7 Bool)
(declare-const fault_8 Bool)
(declare-const fault_9 Bool)
(declare-const fault_10 Bool)
(declare-const fault_11 Bool)
(declare-const fault_12 Bool)
(declare-const fault_13 Bool)
(declare-const fault_14 Bool)
(declare-const fault_15 Bool)
(declare-const fault_16 Bool)
(declare-const fault_17 Bool)
(declare-const fault_18 Bool)
(declare-const fault_19 Bool)
(declare-const fault_20 Bool)
(declare-const fault_21 Bool)
(declare-const fault_22 Bool)
(declare-const fault_23 Bool)
(declare-const fault_24 Bool)
(declare-const fault_25 Bool)
(declare-const fault_26 Bool)
(declare-const fault_27 Bool)
(declare-const fault_28 Bool)
(declare-const fault_29 Bool)
(declare-const fault_30 Bool)
(declare-const fault_31 Bool)
(declare-const fault_32 Bool)
(declare-const fault_33 Bool)
(declare-const circle Bool)
(declare-const in_circle_0 Bool)
(declare-const in_circle_1 Bool)
(declare-const in_circle_2 Bool)
(declare-const in_circle_3 Bool)
(declare-const start_0 Int)
(declare-const end_0 Int)
(declare-const started_0 Bool)
(declare-const ended_0 Bool)
(declare-const start_1 Int)
(declare-const end_1 Int)
(declare-const started_1 Bool)
(declare-const ended_1 Bool)
(declare-const start_2 Int)
(declare-const end_2 Int)
(declare-const started_2 Bool)
(declare-const ended_2 Bool)
(declare-const beginning Int)
(declare-const on_path_0 Bool)
(declare-const on_path_1 Bool)
(declare-const on_path_2 Bool)
(declare-const fault_34 Bool)
(declare-const fault_35 Bool)
(declare-const fault_36 Bool)
(declare-const fault_37 Bool)
(declare-const fault_38 Bool)
(declare-const fault_39 Bool)
(declare-const fault_40 Bool)
(declare-const fault_41 Bool)
(declare-const overlap Bool)
(declare-const first_0 Bool)
(declare-const second_0 Bool)
(declare-const before_run Bool)
(declare-const first_1 Bool)
(declare-const second_1 Bool)
(declare-const first_2 Bool)
(declare-const second_2 Bool)
(declare-const after_run Bool)
(declare-const meeting_0 Bool)
(declare-const meeting_1 Bool)
(declare-const meeting_2 Bool)
(declare-const meeting_outside Bool)
(declare-const law Bool)
; B47: r0 has no bytes
(assert (=> fault_0 (= 128 0)))
; B40: r0 is larger than 2^40 bytes
(assert (=> fault_1 (< 1099511627776 128)))
; B48: r0: its alignment is not a power of two
(assert (=> fault_2 (not (or (= 64 1) (= 64 2) (= 64 4) (= 64 8) (= 64 16) (= 64 32) (= 64 64) (= 64 128) (= 64 256) (= 64 512) (= 64 1024) (= 64 2048) (= 64 4096) (= 64 8192) (= 64 16384) (= 64 32768) (= 64 65536) (= 64 131072) (= 64 262144) (= 64 524288) (= 64 1048576) (= 64 2097152) (= 64 4194304) (= 64 8388608) (= 64 16777216) (= 64 33554432) (= 64 67108864) (= 64 134217728) (= 64 268435456) (= 64 536870912) (= 64 1073741824) (= 64 2147483648)))))
; B46: r0 holds weights but has no bytes to read
(assert (=> fault_3 (and (= 0 3) (= 0 0))))
; B49: tensor 0 (op0.w0): its lifetime does not begin and end at ops
(assert (=> fault_4 (and (or (not (= 0 4294967295)) (not (= 1 4294967295))) (not (and (< 0 3) (< 1 3))))))
; B47: tensor 0 (op0.w0) has no bytes
(assert (=> fault_5 (or (= 64 0) (= 64 0) (= 1 0))))
; B41: tensor 0 (op0.w0): offset + size wraps
(assert (=> fault_6 (and (not (or (= 64 0) (= 64 0) (= 1 0))) (<= (+ 18446744073709551615 1) (+ 0 64)))))
; B32: tensor 0 (op0.w0): its extent is not what its blocks span
(assert (=> fault_7 (and (not (or (= 64 0) (= 64 0) (= 1 0))) (and (<= 64 1099511627776) (<= 0 1099511627776)) (not (and (= 64 (+ (* 0 0) 64)) (or (= 0 0) (and (<= 64 0) (<= 0 1099511627776))))))))
; B40: tensor 0 (op0.w0) does not fit in r0
(assert (=> fault_8 (< 128 (+ 0 64))))
; B48: tensor 0 (op0.w0) is not aligned to 64 bytes
(assert (=> fault_9 (or (not (or (= 64 1) (= 64 2) (= 64 4) (= 64 8) (= 64 16) (= 64 32) (= 64 64) (= 64 128) (= 64 256) (= 64 512) (= 64 1024) (= 64 2048) (= 64 4096) (= 64 8192) (= 64 16384) (= 64 32768) (= 64 65536) (= 64 131072) (= 64 262144) (= 64 524288) (= 64 1048576) (= 64 2097152) (= 64 4194304) (= 64 8388608) (= 64 16777216) (= 64 33554432) (= 64 67108864) (= 64 134217728) (= 64 268435456) (= 64 536870912) (= 64 1073741824) (= 64 2147483648))) (< 64 64) (not (= 0 (* 64 0))))))
; B49: tensor 1 (op1.w0): its lifetime does not begin and end at ops
(assert (=> fault_10 (and (or (not (= 1 4294967295)) (not (= 2 4294967295))) (not (and (< 1 3) (< 2 3))))))
; B47: tensor 1 (op1.w0) has no bytes
(assert (=> fault_11 (or (= 64 0) (= 64 0) (= 1 0))))
; B41: tensor 1 (op1.w0): offset + size wraps
(assert (=> fault_12 (and (not (or (= 64 0) (= 64 0) (= 1 0))) (<= (+ 18446744073709551615 1) (+ 64 64)))))
; B32: tensor 1 (op1.w0): its extent is not what its blocks span
(assert (=> fault_13 (and (not (or (= 64 0) (= 64 0) (= 1 0))) (and (<= 64 1099511627776) (<= 64 1099511627776)) (not (and (= 64 (+ (* 0 0) 64)) (or (= 0 0) (and (<= 64 0) (<= 0 1099511627776))))))))
; B40: tensor 1 (op1.w0) does not fit in r0
(assert (=> fault_14 (< 128 (+ 64 64))))
; B48: tensor 1 (op1.w0) is not aligned to 64 bytes
(assert (=> fault_15 (or (not (or (= 64 1) (= 64 2) (= 64 4) (= 64 8) (= 64 16) (= 64 32) (= 64 64) (= 64 128) (= 64 256) (= 64 512) (= 64 1024) (= 64 2048) (= 64 4096) (= 64 8192) (= 64 16384) (= 64 32768) (= 64 65536) (= 64 131072) (= 64 262144) (= 64 524288) (= 64 1048576) (= 64 2097152) (= 64 4194304) (= 64 8388608) (= 64 16777216) (= 64 33554432) (= 64 67108864) (= 64 134217728) (= 64 268435456) (= 64 536870912) (= 64 1073741824) (= 64 2147483648))) (< 64 64) (not (= 64 (* 64 1))))))
; B49: tensor 2 (op2.w0): its lifetime does not begin and end at ops
(assert (=> fault_16 (and (or (not (= 2 4294967295)) (not (= 2 4294967295))) (not (and (< 2 3) (< 2 3))))))
; B47: tensor 2 (op2.w0) has no bytes
(assert (=> fault_17 (or (= 64 0) (= 64 0) (= 1 0))))
; B41: tensor 2 (op2.w0): offset + size wraps
(assert (=> fault_18 (and (not (or (= 64 0) (= 64 0) (= 1 0))) (<= (+ 18446744073709551615 1) (+ 0 64)))))
; B32: tensor 2 (op2.w0): its extent is not what its blocks span
(assert (=> fault_19 (and (not (or (= 64 0) (= 64 0) (= 1 0))) (and (<= 64 1099511627776) (<= 0 1099511627776)) (not (and (= 64 (+ (* 0 0) 64)) (or (= 0 0) (and (<= 64 0) (<= 0 1099511627776))))))))
; B40: tensor 2 (op2.w0) does not fit in r0
(assert (=> fault_20 (< 128 (+ 0 64))))
; B48: tensor 2 (op2.w0) is not aligned to 64 bytes
(assert (=> fault_21 (or (not (or (= 64 1) (= 64 2) (= 64 4) (= 64 8) (= 64 16) (= 64 32) (= 64 64) (= 64 128) (= 64 256) (= 64 512) (= 64 1024) (= 64 2048) (= 64 4096) (= 64 8192) (= 64 16384) (= 64 32768) (= 64 65536) (= 64 131072) (= 64 262144) (= 64 524288) (= 64 1048576) (= 64 2097152) (= 64 4194304) (= 64 8388608) (= 64 16777216) (= 64 33554432) (= 64 67108864) (= 64 134217728) (= 64 268435456) (= 64 536870912) (= 64 1073741824) (= 64 2147483648))) (< 64 64) (not (= 0 (* 64 0))))))
; B49: tensor 3 (op1.w0): its lifetime does not begin and end at ops
(assert (=> fault_22 (and (or (not (= 1 4294967295)) (not (= 2 4294967295))) (not (and (< 1 3) (< 2 3))))))
; B44: tensor 3 (op1.w0) is a view of tensor 1 (op1.w0) of another type
(assert (=> fault_23 (not (= 0 0))))
; B43: tensor 3 (op1.w0) is a view of tensor 1 (op1.w0), but does not lie inside it
(assert (=> fault_24 (not (and (= 0 0) (<= 64 64) (<= (+ 64 32) (+ 64 64))))))
; B47: tensor 3 (op1.w0) has no bytes
(assert (=> fault_25 (or (= 32 0) (= 32 0) (= 1 0))))
; B41: tensor 3 (op1.w0): offset + size wraps
(assert (=> fault_26 (and (not (or (= 32 0) (= 32 0) (= 1 0))) (<= (+ 18446744073709551615 1) (+ 64 32)))))
; B32: tensor 3 (op1.w0): its extent is not what its blocks span
(assert (=> fault_27 (and (not (or (= 32 0) (= 32 0) (= 1 0))) (and (<= 32 1099511627776) (<= 64 1099511627776)) (not (and (= 32 (+ (* 0 0) 32)) (or (= 0 0) (and (<= 32 0) (<= 0 1099511627776))))))))
; B40: tensor 3 (op1.w0) does not fit in r0
(assert (=> fault_28 (< 128 (+ 64 32))))
; B48: tensor 3 (op1.w0) is not aligned to 64 bytes
(assert (=> fault_29 (or (not (or (= 64 1) (= 64 2) (= 64 4) (= 64 8) (= 64 16) (= 64 32) (= 64 64) (= 64 128) (= 64 256) (= 64 512) (= 64 1024) (= 64 2048) (= 64 4096) (= 64 8192) (= 64 16384) (= 64 32768) (= 64 65536) (= 64 131072) (= 64 262144) (= 64 524288) (= 64 1048576) (= 64 2097152) (= 64 4194304) (= 64 8388608) (= 64 16777216) (= 64 33554432) (= 64 67108864) (= 64 134217728) (= 64 268435456) (= 64 536870912) (= 64 1073741824) (= 64 2147483648))) (< 64 64) (not (= 64 (* 64 1))))))
; B46: op 0 (op0) writes tensor 0 (op0.w0), which lies in read-only r0
(assert (=> fault_30 (or (= 0 3) (= 0 1))))
; B46: op 1 (op1) writes tensor 1 (op1.w0), which lies in read-only r0
(assert (=> fault_31 (or (= 0 3) (= 0 1))))
; B46: op 2 (op2) writes tensor 2 (op2.w0), which lies in read-only r0
(assert (=> fault_32 (or (= 0 3) (= 0 1))))
; B45: op 2 (op2) writes tensor 2 (op2.w0) over its input tensor 1 (op1.w0) but is not declared in place
(assert (=> fault_33 (and (= 0 0) (and (<= 64 byte) (< byte 128)) (and (<= 0 byte) (< byte 64)))))
(assert (=> in_circle_0 false))
(assert (=> in_circle_1 false))
(assert (=> in_circle_2 false))
(assert (=> in_circle_3 in_circle_1))
; B43: views in a circle
(assert (=> circle (or in_circle_0 in_circle_1 in_circle_2 in_circle_3)))
; op 0 (op0)
(assert (=> schedule (and (<= 0 start_0) (< start_0 end_0))))
(assert (=> schedule (= started_0 (<= start_0 now))))
(assert (=> schedule (= ended_0 (<= end_0 now))))
; follows
(assert (=> schedule (=> ended_0 started_0)))
; op 1 (op1)
(assert (=> schedule (and (<= 0 start_1) (< start_1 end_1))))
(assert (=> schedule (= started_1 (<= start_1 now))))
(assert (=> schedule (= ended_1 (<= end_1 now))))
; follows
(assert (=> schedule (=> ended_1 started_1)))
; op 2 (op2)
(assert (=> schedule (and (<= 0 start_2) (< start_2 end_2))))
(assert (=> schedule (= started_2 (<= start_2 now))))
(assert (=> schedule (= ended_2 (<= end_2 now))))
; follows
(assert (=> schedule (=> ended_2 started_2)))
; op 0 (op0) precedes op 1 (op1)
(assert (=> schedule (<= end_0 start_1)))
; follows
(assert (=> schedule (=> started_1 ended_0)))
; op 1 (op1) precedes op 2 (op2)
(assert (=> schedule (<= end_1 start_2)))
; follows
(assert (=> schedule (=> started_2 ended_1)))
(assert (=> on_path_0 (or (= beginning 0) on_path_1)))
(assert (=> on_path_1 (or (= beginning 1) on_path_2)))
(assert (=> on_path_2 (= beginning 2)))
; B49: tensor 0 (op0.w0): its lifetime ends before it begins
(assert (=> fault_34 (and schedule on_path_1 (= beginning 0))))
; B49: tensor 1 (op1.w0): its lifetime ends before it begins
(assert (=> fault_35 (and schedule on_path_2 (= beginning 1))))
; B49: tensor 3 (op1.w0): its lifetime ends before it begins
(assert (=> fault_36 (and schedule on_path_2 (= beginning 1))))
; B49: op 0 (op0) uses tensor 0 (op0.w0) outside of its lifetime
(assert (=> fault_37 (or (< 0 0) (< 1 0))))
; B49: op 1 (op1) uses tensor 0 (op0.w0) outside of its lifetime
(assert (=> fault_38 (or (< 1 0) (< 1 1))))
; B49: op 1 (op1) uses tensor 1 (op1.w0) outside of its lifetime
(assert (=> fault_39 (or (< 1 1) (< 2 1))))
; B49: op 2 (op2) uses tensor 1 (op1.w0) outside of its lifetime
(assert (=> fault_40 (or (< 2 1) (< 2 2))))
; B49: op 2 (op2) uses tensor 2 (op2.w0) outside of its lifetime
(assert (=> fault_41 (or (< 2 2) (< 2 2))))
(assert (=> before_run (not started_0)))
(assert (=> before_run (not started_1)))
(assert (=> before_run (not started_2)))
; tensor 0 (op0.w0) as the first
(assert (=> first_0 (and (and (or started_0 started_1 true) (or (not ended_0) (not ended_1) before_run)) (= region 0) (and (<= 0 byte) (< byte 64)))))
; tensor 0 (op0.w0) as the second
(assert (=> second_0 (and (and (or started_0 started_1 true) (or (not ended_0) (not ended_1) before_run)) (= region 0) (and (<= 0 byte) (< byte 64)))))
(assert (not (and first_0 second_0)))
; tensor 1 (op1.w0) as the first
(assert (=> first_1 (and (and (or started_1 started_2) (or (not ended_1) (not ended_2))) (= region 0) (and (<= 64 byte) (< byte 128)))))
; tensor 1 (op1.w0) as the second
(assert (=> second_1 (and (and (or started_1 started_2) (or (not ended_1) (not ended_2))) (= region 0) (and (<= 64 byte) (< byte 128)))))
(assert (not (and first_1 second_1)))
(assert (=> after_run ended_0))
(assert (=> after_run ended_1))
(assert (=> after_run ended_2))
; tensor 2 (op2.w0) as the first
(assert (=> first_2 (and (and (or started_2 after_run) (or (not ended_2) true)) (= region 0) (and (<= 0 byte) (< byte 64)))))
; tensor 2 (op2.w0) as the second
(assert (=> second_2 (and (and (or started_2 after_run) (or (not ended_2) true)) (= region 0) (and (<= 0 byte) (< byte 64)))))
(assert (not (and first_2 second_2)))
(assert (=> meeting_0 (and (and started_0 (not ended_0)) (or first_0 second_0))))
(assert (=> meeting_1 (and (and started_1 (not ended_1)) (or first_0 second_0 first_1 second_1))))
(assert (=> meeting_2 (and (and started_2 (not ended_2)) (or first_1 second_1 first_2 second_2))))
(assert (=> meeting_outside (and (or before_run after_run) (or first_0 second_0 first_2 second_2))))
; B42: two tensors that live at once share a byte
(assert (=> overlap (and schedule (or first_0 first_1 first_2) (or second_0 second_1 second_2) (or meeting_0 meeting_1 meeting_2 meeting_outside))))
; op 1 (op1) is declared in place
(assert (=> (and first_0 second_1) (or (not started_1) (not ended_0))))
; op 1 (op1) is declared in place
(assert (=> (and first_1 second_0) (or (not started_1) (not ended_0))))
(assert (=> law (or circle fault_0 fault_1 fault_2 fault_3 fault_4 fault_5 fault_6 fault_7 fault_8 fault_9 fault_10 fault_11 fault_12 fault_13 fault_14 fault_15 fault_16 fault_17 fault_18 fault_19 fault_20 fault_21 fault_22 fault_23 fault_24 fault_25 fault_26 fault_27 fault_28 fault_29 fault_30 fault_31 fault_32 fault_33 fault_34 fault_35 fault_36 fault_37 fault_38 fault_39 fault_40 fault_41)))
; the claim: a law is broken
(assert (=> claim (or law overlap)))
(assert claim)
(check-sat)
(exit)
