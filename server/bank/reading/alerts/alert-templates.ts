/**
 * Alerts as banks write them: data, each with a sample. An expression holds the whole text, so that a note which
 * imitates a second alert fits none. What the payer writes has no spaces (VPA), few marks (name), or is looked at
 * again (note).
 */
import { BALANCE, DAY, NAME, REF, RS, SUM, TAIL, template, VPA, when, type AlertTemplate } from './alert-form.ts'
import { RECENT_TEMPLATES } from './recent-templates.ts'

/** Apps whose notifications are forwarded, by their package. */
export const APPS: Record<string, string> = {
  'com.phonepe.app.business': 'PhonePe',
  'com.phonepe.app': 'PhonePe',
  'com.paytm.business': 'Paytm',
  'net.one97.paytm': 'Paytm',
  'com.bharatpe.app': 'BharatPe',
  'com.google.android.apps.nbu.paisa.merchant': 'Google Pay',
  'com.google.android.apps.nbu.paisa.user': 'Google Pay',
  'in.org.npci.upiapp': 'BHIM',
}

export const TEMPLATES: readonly AlertTemplate[] = [
  ...RECENT_TEMPLATES,
  template(
    'HDFC',
    String.raw`Credit Alert! ${SUM} credited to HDFC Bank A/c ${TAIL} on ${when(DAY)} from VPA ${VPA} \(UPI ${REF}\)`,
    'Credit Alert! Rs.500.00 credited to HDFC Bank A/c XX5678 on 21-11-26 from VPA ravi@okaxis (UPI 632545101877)',
  ),
  template(
    'HDFC',
    [
      String.raw`HDFC Bank: ${SUM} credited to a/c ${TAIL} on ${when(DAY)} by a/c linked to VPA ${VPA} `,
      String.raw`\(UPI Ref No ${REF}\)\.?`,
    ].join(''),
    'HDFC Bank: Rs. 500.00 credited to a/c XX5678 on 21-11-26 by a/c linked to VPA r@ybl (UPI Ref No 632545101877).',
  ),
  template(
    'SBI',
    [
      String.raw`Dear SBI UPI User, ur A/c ?${TAIL} credited by ${SUM} on `,
      String.raw`${when(String.raw`\d{1,2}[A-Z]{3}\d{2}`)} by ${NAME} ?\(Ref no ${REF}\)`,
    ].join(''),
    'Dear SBI UPI User, ur A/cX4444 credited by Rs500 on 21Nov26 by (Ref no 632511223344)',
  ),
  template(
    'SBI',
    [
      String.raw`Dear (?:SBI|UPI)(?: UPI)? User, your A/c ?${TAIL}-credited by ${SUM} on `,
      String.raw`${when(String.raw`\d{1,2}[A-Z]{3}\d{2}`)} transfer from ${NAME} Ref No ${REF} -SBI`,
    ].join(''),
    'Dear SBI User, your A/c X4444-credited by Rs.25730 on 21Nov26 transfer from RAHUL KUMAR Ref No 632502998134 -SBI',
  ),
  template(
    'ICICI',
    [
      String.raw`Dear Customer, Acct ${TAIL} is credited with ${SUM} on `,
      String.raw`${when(String.raw`\d{1,2}-[A-Z]{3}-\d{2}`)} from ${NAME}\. UPI:${REF}-ICICI Bank\.`,
    ].join(''),
    'Dear Customer, Acct XX222 is credited with Rs 1.00 on 21-Nov-26 from ANIL B. UPI:632547267681-ICICI Bank.',
  ),
  template(
    'Kotak',
    String.raw`Received ${SUM} in your Kotak Bank AC ${TAIL} from ${VPA} on ${when(DAY)}\. ?UPI Ref:? ?${REF}\.?`,
    'Received Rs.250.00 in your Kotak Bank AC X7777 from john.doe@oksbi on 21-11-26.UPI Ref 632522222222.',
  ),
  template(
    'Kotak',
    [
      String.raw`Received ${SUM} in your Kotak Bank AC ${TAIL} by an A/C linked to mobile x\d{2,4} `,
      String.raw`on ${when(DAY)}\. ?IMPS Ref no ${REF}\.`,
    ].join(''),
    [
      'Received Rs.900.00 in your Kotak Bank AC X7777 by an A/C linked to mobile x111 on 21-11-26.',
      'IMPS Ref no 632511412340.',
    ].join(' '),
  ),
  template(
    'Axis',
    [
      String.raw`${SUM} credited to A/c no\. ${TAIL} on ${when(String.raw`${DAY} at \d{2}:\d{2}:\d{2} IST`)}\. `,
      String.raw`Info- (?:UPI/P2[AM]|IMPS/P2A)/${REF}/${NAME}(?:\. Avl Bal- ${BALANCE}|/Axis Bank - Axis Bank)`,
    ].join(''),
    [
      'INR 45,000.00 credited to A/c no. XX6666 on 21-11-26 at 11:20:05 IST.',
      'Info- UPI/P2A/632587654321/PRIYA SHARMA. Avl Bal- INR 1,02,345.67',
    ].join(' '),
  ),
  template(
    'Yes',
    [
      String.raw`${SUM} credited to YES BANK Ac ${TAIL} on ${when(String.raw`\d{1,2}[A-Z]{3}\d{2} \d{2}:\d{2}`)}\. `,
      String.raw`UPI:${REF}/From:${VPA}\. Bal ${BALANCE}\.?`,
    ].join(''),
    [
      'INR 20.00 credited to YES BANK Ac X8888 on 21NOV26 11:30.',
      'UPI:632511111111/From:friend.name@okaxis. Bal INR 999.00',
    ].join(' '),
  ),
  template(
    'Yes',
    [
      String.raw`${SUM} credited to YES BANK Ac ${TAIL} on ${when(String.raw`\d{1,2}[A-Z]{3}\d{2} \d{2}:\d{2}`)}\. `,
      String.raw`(?:NEFT|RTGS):(?<ref>[A-Z0-9]{16,22})/From:${NAME}\. Bal ${BALANCE}\.?`,
    ].join(''),
    [
      'INR 1,05,000.00 credited to YES BANK Ac X8888 on 21NOV26 15:03.',
      'NEFT:CNRBH26325378407/From:NEW DEEP AUTO. Bal INR 22,45,685.24.',
    ].join(' '),
  ),
  template(
    'IndusInd',
    [
      String.raw`A/C ${TAIL} credited by ${SUM} from ${VPA}\. RRN:${REF}\. `,
      String.raw`Avl Bal:(?:${RS})?[\d,.]+\. Not you\? Call \d{10,11} - IndusInd Bank`,
    ].join(''),
    [
      'A/C *XX1234 credited by Rs 25000.00 from x.kumar@ybl. RRN:632548508040.',
      'Avl Bal:61000.10. Not you? Call 18602677777 - IndusInd Bank',
    ].join(' '),
  ),
  template(
    'IOB',
    [
      String.raw`Your a/c no\. ${TAIL} is credited by ${SUM} on ${when(String.raw`\d{4}-\d{2}-\d{2}`)}(?: \d{2})?, `,
      String.raw`from ${NAME}(?:-(?<vpa>[^\s()]{3,60}))?\(UPI Ref no ${REF}\)\. ?`,
      'Payer Remark ?- ?(?<note>.{0,80}?) ?-IOB',
    ].join(''),
    [
      'Your a/c no. XXXXX92 is credited by Rs.906.00 on 2026-11-21 17, from SIDDHANT SIN-7700000001@su',
      '(UPI Ref no 632599645381).Payer Remark - Paid via app -IOB',
    ].join(''),
  ),
  template(
    'Indian Bank',
    [
      String.raw`${SUM} credited to a/c ${TAIL} on ${when(String.raw`\d{1,2}/\d{1,2}/\d{4}`)} by a/c linked to VPA `,
      String.raw`${VPA} \(UPI Ref no ${REF}\)\. ?Dial 1930 for Cyber Fraud - Indian Bank`,
    ].join(''),
    [
      'Rs.2.00 credited to a/c *8175 on 21/11/2026 by a/c linked to VPA x9@ybl (UPI Ref no 632508452805).',
      'Dial 1930 for Cyber Fraud - Indian Bank',
    ].join(''),
  ),
  template(
    'South Indian',
    [
      String.raw`UPI Credit: ?INR ${SUM} in A/c ${TAIL}\. Info: UPI/[A-Z]{3,4}/${REF}/ ?${NAME} `,
      String.raw`on ${when(String.raw`${DAY} \d{2}:\d{2}:\d{2}`)}\. ?Final balance is ${BALANCE} -South Indian Bank`,
    ].join(''),
    [
      'UPI Credit:INR Rs.15000.00 in A/c X2468. Info: UPI/TGRB/632500588907/ Sham Ak on 21-11-26 13:59:01.',
      'Final balance is Rs.34567.67 -South Indian Bank',
    ].join(''),
  ),
  template(
    'PNB',
    [
      String.raw`Ac ${TAIL} Credited with ${SUM} ${when(String.raw`${DAY} \d{2}:\d{2}:\d{2}`)} thru UPI ?\. `,
      String.raw`Aval Bal ${BALANCE} CR\. \(UPI Ref ID: ?${REF}\) Helpline [\d/]{6,30}-PNB`,
    ].join(''),
    [
      'Ac XX7582 Credited with Rs.4750.00 21-11-2026 08:53:21 thru UPI . Aval Bal Rs.82431.67 CR.',
      '(UPI Ref ID:632528305917) Helpline 18001800/18002021-PNB',
    ].join(' '),
  ),
  template(
    'Bandhan',
    [
      String.raw`${SUM} deposited to A/c ${TAIL} towards UPI/CR/C?${REF}/${NAME}/\w{1,4} `,
      String.raw`on ${when(String.raw`\d{1,2}-[A-Z]{3}-\d{4}`)} ?\. Clear Bal is ${BALANCE} ?\. Bandhan Bank\.`,
    ].join(''),
    [
      'INR 25,000.00 deposited to A/c XXXXXXXXXX3456 towards UPI/CR/C632513287910/JOHN DOE/u on 21-NOV-2026 .',
      'Clear Bal is INR 30,123.00 . Bandhan Bank.',
    ].join(' '),
  ),
  template(
    'PSB',
    [
      String.raw`(?:PSB\d{6,20} )?A/c No ${TAIL} Credited with ${SUM}--UPI/CR/${REF}/${NAME}/[A-Z]{3,4}/\d{1,20}/`,
      String.raw`\w{1,4} `,
      String.raw`\(CLR BAL [\d,.]+CR\)\(${when(String.raw`${DAY} \d{2}:\d{2}:\d{2}`)}\)-Punjab ?& ?Sind Bank`,
    ].join(''),
    [
      'PSB000000000000003 A/c No **2222 Credited with Rs 5500--UPI/CR/632588265852/JOHN/HDFC/00000000000000/U',
      '(CLR BAL 30987.99CR)(21-11-2026 13:22:34)-Punjab&Sind Bank',
    ].join(' '),
  ),
  template(
    'Federal',
    [
      String.raw`${SUM} credited to your A/c ${TAIL} via (?:IMPS|UPI) on `,
      String.raw`${when(String.raw`\d{1,2}[A-Z]{3}\d{4} \d{2}:\d{2}:\d{2}`)}\. \((?:IMPS|UPI) Ref no-${REF}\) `,
      String.raw`BAL-${BALANCE} -Federal Bank`,
    ].join(''),
    [
      'Rs.3160 credited to your A/c XX2172 via IMPS on 21NOV2026 10:48:12. (IMPS Ref no-632510603307)',
      'BAL-Rs.32163.31 -Federal Bank',
    ].join(' '),
  ),
  template(
    'City Union',
    [
      String.raw`Your a/c no\. ${TAIL} is credited for ${SUM} on ${when(DAY)} and debited from a/c no\. [X*]*\d{2,6} `,
      String.raw`\(UPI Ref no ${REF}\) -CUB`,
    ].join(''),
    [
      'Your a/c no. XXXXXXXX5555 is credited for Rs.5000.00 on 21-11-2026 and debited from',
      'a/c no. XXXXXXXX6666 (UPI Ref no 632556789012) -CUB',
    ].join(' '),
  ),
  template(
    'Canara',
    [
      String.raw`An amount of ${SUM} has been CREDITED to your account ${TAIL} on `,
      String.raw`${when(String.raw`\d{1,2}/\d{1,2}/\d{4}`)}\. ?Total Avail\.? ?bal ${BALANCE}\. ?- ?Canara Bank`,
    ].join(''),
    [
      'An amount of INR 1,000.00 has been CREDITED to your account XXXX2184 on 21/11/2026.',
      'Total Avail.bal INR 6,868.58.- Canara Bank',
    ].join(''),
  ),
  template(
    'IDFC',
    [
      String.raw`Your A/C ${TAIL} is credited with ${SUM} on ${when(String.raw`\d{1,2}/\d{1,2}/\d{2} \d{2}:\d{2}`)}\. `,
      String.raw`Your new balance is ${BALANCE}\. Team IDFC FIRST Bank`,
    ].join(''),
    [
      'Your A/C XXXXX009999 is credited with INR 25,000.00 on 21/11/26 06:24.',
      'Your new balance is INR 1,42,938.65. Team IDFC FIRST Bank',
    ].join(' '),
  ),
  template(
    'PhonePe',
    String.raw`Payment received Received ${SUM} from ${NAME}`,
    'Payment received Received ₹500 from RAVI KUMAR',
  ),
]
