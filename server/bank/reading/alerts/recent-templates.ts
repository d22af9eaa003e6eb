/** Wordings that banks have brought in since 2025. */
import { BALANCE, DAY, NAME, REF, SUM, TAIL, template, when, type AlertTemplate } from './alert-form.ts'

export const RECENT_TEMPLATES: readonly AlertTemplate[] = [
  template(
    'HDFC',
    [
      String.raw`(?:Received!|Update!) ${SUM} (?:deposited )?in HDFC Bank A/c ${TAIL} On ${when(DAY)} `,
      String.raw`For IMPS -${NAME}- ${REF} Avl bal:? ${BALANCE}`,
    ].join(''),
    'Received! INR 500.00 in HDFC Bank A/c xx5678 On 21-11-26 For IMPS -RAVI KUMAR- 632545101877 Avl bal INR 9,487.41',
  ),
  template(
    'SBI',
    [
      String.raw`Dear Customer, Your a/c no\. ${TAIL} is credited by ${SUM} on ${when(DAY)} by a/c linked to mobile `,
      String.raw`[\dX]{4,12}-${NAME} \(IMPS Ref# ${REF}\)-SBI`,
    ].join(''),
    [
      'Dear Customer, Your a/c no. XXXXXXXX4444 is credited by Rs.249.00 on 21-11-26 by a/c linked to mobile',
      '9XXXXXX499-RAVI KUMAR (IMPS Ref# 632516078119)-SBI',
    ].join(' '),
  ),
  template(
    'ICICI',
    [
      String.raw`Your ICICI Bank Account ${TAIL} has been credited with ${SUM} on `,
      String.raw`${when(String.raw`\d{4}-\d{2}-\d{2} at \d{2}:\d{2}:\d{2}`)} from ${NAME}\. Ref No ${REF}\.`,
    ].join(''),
    [
      'Your ICICI Bank Account 8126 has been credited with Rs 1,500.00 on 2026-11-21 at 10:53:17 from RAVI KUMAR.',
      'Ref No 632510717291.',
    ].join(' '),
  ),
  template(
    'Kotak',
    [
      String.raw`Received ${SUM} on ${when(DAY)} in your Kotak Bank A/C ${TAIL} by an A/C linked to mobile x\d{2,4}\. `,
      String.raw`IMPS Ref no ${REF}\.?`,
    ].join(''),
    [
      'Received Rs. 750.00 on 21-11-26 in your Kotak Bank A/C x5111 by an A/C linked to mobile x306.',
      'IMPS Ref no 632610193371.',
    ].join(' '),
  ),
  template(
    'Union',
    [
      String.raw`A/c ${TAIL} Credited for ${SUM} on ${when(String.raw`${DAY} \d{2}:\d{2}:\d{2}`)} by Mob Bk ref no `,
      String.raw`${REF} Avl Bal ${BALANCE}\. ?Never Share OTP/PIN/CVV-Union Bank of India`,
    ].join(''),
    [
      'A/c *2443 Credited for Rs.2,340.00 on 21-11-2026 10:23:25 by Mob Bk ref no 632610710482',
      'Avl Bal Rs.60,784.41.Never Share OTP/PIN/CVV-Union Bank of India',
    ].join(' '),
  ),
  template(
    'Union',
    [
      String.raw`Dear Customer, Your A/c ${TAIL} is Credited for ${SUM} on ${when(DAY)} by A/c linked to mobile `,
      String.raw`[\dX]{4,12} \(IMPS Ref no ${REF}\) -Union Bank of India`,
    ].join(''),
    [
      'Dear Customer, Your A/c XX5982 is Credited for Rs.120.00 on 20-11-2026 by A/c linked to mobile XXXXXXXX09',
      '(IMPS Ref no 632409247658) -Union Bank of India',
    ].join(' '),
  ),
  template(
    'Indian Bank',
    [
      String.raw`Your A/c ${TAIL} is credited with ${SUM} on ${when(DAY)} by ${NAME}\. RRN ${REF}\. `,
      String.raw`Available balance is ${BALANCE} - Indian Bank`,
    ].join(''),
    [
      'Your A/c *3335 is credited with Rs.1,200.37 on 21-11-26 by DEEPA NAIR. RRN 632614494079.',
      'Available balance is Rs. 1,06,540.41 - Indian Bank',
    ].join(' '),
  ),
  template(
    'IPPB',
    [
      String.raw`You have received a payment of ${SUM} in a/c ${TAIL} on `,
      String.raw`${when(String.raw`\d{1,2}/\d{1,2}/\d{4} \d{2}:\d{2}`)} from ${NAME} thru IPPB\. `,
      String.raw`Info: UPI/CREDIT/${REF}\. ?Avl Bal ${BALANCE}-IPPB`,
    ].join(''),
    [
      'You have received a payment of Rs. 299.50 in a/c X1999 on 21/11/2026 13:48 from SURESH PATIL thru IPPB.',
      'Info: UPI/CREDIT/632514802225.Avl Bal Rs. 74,505.41-IPPB',
    ].join(' '),
  ),
  template(
    'IndusInd',
    [
      String.raw`Your IndusInd Account \d{0,4}${TAIL} has been credited for ${SUM} towards IMPS/${REF}\. `,
      String.raw`Call \d{8,12} to report issue-IndusInd Bank`,
    ].join(''),
    [
      'Your IndusInd Account XXXXX5659 has been credited for INR 99.37 towards IMPS/632616513103.',
      'Call 18602677777 to report issue-IndusInd Bank',
    ].join(' '),
  ),
]
