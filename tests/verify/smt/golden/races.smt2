(set-info :smt-lib-version 2.6)
(set-logic QF_LIA)
(set-info :source |
races
of four ops
|)
(set-info :category "industrial")
(set-info :status sat)
(declare-const now Int)
(declare-const region Int)
(declare-const byte Int)
(declare-const claim Bool)
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
(declare-const start_3 Int)
(declare-const end_3 Int)
(declare-const started_3 Bool)
(declare-const ended_3 Bool)
(declare-const holder_0 Int)
(declare-const first_0 Bool)
(declare-const second_0 Bool)
(declare-const first_1 Bool)
(declare-const second_1 Bool)
(declare-const row_10 Int)
(declare-const phase_10 Int)
(declare-const second_2 Bool)
(declare-const first_3 Bool)
(declare-const second_3 Bool)
(declare-const second_4 Bool)
(declare-const first_5 Bool)
(declare-const second_5 Bool)
(declare-const second_6 Bool)
; op 0 (op0)
(assert (and (<= 0 start_0) (< start_0 end_0)))
(assert (= started_0 (<= start_0 now)))
(assert (= ended_0 (<= end_0 now)))
; follows
(assert (=> ended_0 started_0))
; op 1 (op1)
(assert (and (<= 0 start_1) (< start_1 end_1)))
(assert (= started_1 (<= start_1 now)))
(assert (= ended_1 (<= end_1 now)))
; follows
(assert (=> ended_1 started_1))
; op 2 (op2)
(assert (and (<= 0 start_2) (< start_2 end_2)))
(assert (= started_2 (<= start_2 now)))
(assert (= ended_2 (<= end_2 now)))
; follows
(assert (=> ended_2 started_2))
; op 3 (op3)
(assert (and (<= 0 start_3) (< start_3 end_3)))
(assert (= started_3 (<= start_3 now)))
(assert (= ended_3 (<= end_3 now)))
; follows
(assert (=> ended_3 started_3))
; op 0 (op0) precedes op 2 (op2)
(assert (<= end_0 start_2))
; follows
(assert (=> started_2 ended_0))
; op 1 (op1) precedes op 3 (op3)
(assert (<= end_1 start_3))
; follows
(assert (=> started_3 ended_1))
; op 0 (op0) writes r0 as the first
(assert (=> first_0 (and started_0 (not ended_0) (= region 0) (and (<= 0 byte) (< byte 16)) (= holder_0 0))))
; op 0 (op0) writes r0 as the second
(assert (=> second_0 (and started_0 (not ended_0) (= region 0) (and (<= 0 byte) (< byte 16)) (= holder_0 0))))
; op 0 (op0) writes r1 as the first
(assert (=> first_1 (and started_0 (not ended_0) (= region 1) (and (<= 8 byte) (< byte 16)) (= holder_0 0))))
; op 0 (op0) writes r1 as the second
(assert (=> second_1 (and started_0 (not ended_0) (= region 1) (and (<= 8 byte) (< byte 16)) (= holder_0 0))))
; two accesses of one op
(assert (or (not first_0) (not second_0)))
; two accesses of one op
(assert (or (not first_0) (not second_1)))
; two accesses of one op
(assert (or (not first_1) (not second_0)))
; two accesses of one op
(assert (or (not first_1) (not second_1)))
; the byte, by rows of 10 bytes
(assert (= byte (+ (* 10 row_10) phase_10)))
(assert (<= 0 row_10))
(assert (and (<= 0 phase_10) (< phase_10 10)))
; op 1 (op1) reads r0 as the second
(assert (=> second_2 (and started_1 (not ended_1) (= region 0) (and (and (<= 4 byte) (< byte 28)) (and (and (<= 0 row_10) (< row_10 3)) (and (<= 4 phase_10) (< phase_10 8)))) (= holder_0 1))))
; op 1 (op1) writes r0 as the first
(assert (=> first_3 (and started_1 (not ended_1) (= region 0) (or (and (and (<= 29 byte) (< byte 46)) (or (and (and (<= 2 row_10) (< row_10 4)) (and (<= 9 phase_10) (< phase_10 10))) (and (and (<= 3 row_10) (< row_10 5)) (< phase_10 6)))) (and (and (<= 60 byte) (< byte 80)) (and (and (<= 6 row_10) (< row_10 8)) (and (<= 0 phase_10) (< phase_10 10))))) (= holder_0 1))))
; op 1 (op1) writes r0 as the second
(assert (=> second_3 (and started_1 (not ended_1) (= region 0) (or (and (and (<= 29 byte) (< byte 46)) (or (and (and (<= 2 row_10) (< row_10 4)) (and (<= 9 phase_10) (< phase_10 10))) (and (and (<= 3 row_10) (< row_10 5)) (< phase_10 6)))) (and (and (<= 60 byte) (< byte 80)) (and (and (<= 6 row_10) (< row_10 8)) (and (<= 0 phase_10) (< phase_10 10))))) (= holder_0 1))))
; two accesses of one op
(assert (or (not first_3) (not second_2)))
; two accesses of one op
(assert (or (not first_3) (not second_3)))
; op 2 (op2) reads r0 as the second
(assert (=> second_4 (and started_2 (not ended_2) (= region 0) (and (<= 0 byte) (< byte 16)))))
; op 2 (op2) writes r0 as the first
(assert (=> first_5 (and started_2 (not ended_2) (= region 0) (and (<= 128 byte) (< byte 144)))))
; op 2 (op2) writes r0 as the second
(assert (=> second_5 (and started_2 (not ended_2) (= region 0) (and (<= 128 byte) (< byte 144)))))
; op 2 (op2) reads r1 as the second
(assert (=> second_6 (and started_2 (not ended_2) (= region 1) (and (<= 0 byte) (< byte 8)))))
; two accesses of one op
(assert (or (not first_5) (not second_4)))
; two accesses of one op
(assert (or (not first_5) (not second_5)))
; two accesses of one op
(assert (or (not first_5) (not second_6)))
; the claim: a first and a second access at once
(assert (=> claim (and (or first_0 first_1 first_3 first_5) (or second_0 second_1 second_2 second_3 second_4 second_5 second_6))))
(assert claim)
(check-sat)
(exit)
