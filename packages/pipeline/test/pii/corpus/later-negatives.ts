/**
 * Texts without personal data in which words for personal data stand near other numbers, written after
 * the rules. The notation is that of `parse-rows.ts`.
 */
export const LATER_NEGATIVES = String.raw`
Call 3 of 5 started at 20241103 and ended at 20241104.
phone model 2022-1234-5678 was recalled
contact form 12345678 was submitted
the mobile user base grew to 12 345 678
mobile traffic: 123,456,789 requests
a reach of 1 234 567 people
the campaign reached 4 500 000 viewers in 2023
transfer of 12345678 dollars approved
transfer 25000000 to the reserve
the bank moved 10000000 shares
bank balance 12345678
bank 12345678 rows of test data
compte de résultat 2023 : 12 345 678
Konto 4711 bebucht mit 12345678 Cent
fax volume was 1234567 pages in 2019
office 2019 build 16.0.14326.20454
dial tone at 440 480 Hz, 350 440 Hz
ring buffer size 1048576 bytes
calls: 1234567 total, 1200345 ok
called 12345678 times in profile
callback took 12345678 ns
caller graph depth 20 30 40 50 60
contact lens order 123 456 789
contact angle 110 120 130 140 degrees
Contact us for 24/7/365 support since 1998-2004
cell 4120 of 5000 holds 12345678
cell phone sales 2019-2023: 120 130 140 150 160
tel aviv population 467 875 in 2021
telephone lines: 1 234 567 (2010), 1 345 678 (2015)
The telephone was patented on 1876-03-07 (No. 174,465).
text size 12 14 16 18 20 22 24
sms count 123456789
whatsapp has 2 000 000 000 users
passport applications: 12345678 in 2022
passport fees rose to 16500000 dollars
Passport ranking 2024: 194 193 192 191
e-passport chip ISO 14443-3 1234567 sold
passport book weighs 12345678 mg
passport: valid until 20301231
passport issued 20200105
Passport-sized photo 600x600, 240 KB, taken 20240115
documents 12345678 to 12345699 were filed
document 4500123456 attached
document id AB1234567 archived
travel document checklist v2.1.0.4
your trip PNR AB12CD, document AB123456
card 4 of 52, deck 1234567890123
card reader model 1234 5678 9012 3456
gift card 1234 5678 9012 3456
library card 21234001234567
SIM card 89014103211118510720
loyalty card no. 1234567890123456
graphics card driver 551.23.4567.8901
memory card 128000000000 bytes
charge 1.602176634e-19 C
visa number V1234567
visa bulletin 2024-03
Visa quarterly volume 3200000000000
social media reach 123 45 6789
social media impressions: 123456789
social security spending 1234567890 dollars in 2022
social security office hours 9-5, form SS-5
ssn field must match ^\d{3}-\d{2}-\d{4}$
SSN column has 123456789 rows
tax id 12-3456789
tax identification 123-456-789
IP 10.2 release
ip rating 6.5.4.3 is not a thing, version 6.5.4.3 is
host version 1.2.3.4
server build 10.0.17763.1
server 2019 (10.0.17763.107)
client v8.0.11.3
from 1.1.1.1 to 1.1.2.4 of the manual
source code v1.22.333.4444
address 0x1234:0x5678
address range 12345678-12345999
email us: 123456789 messages a day
email regex @[a-z]+
mail -s test 12345678
mail merge row 12345678
number 1234 5678
The number 123 456 789 is divisible by 3.
a number like 012 345 678 has leading zeros
numbers: 111 222 333 444 555
number of cells 12 34 56 78
Room number 0301 2345
Serial number 0301 234 5678
number of people: 7 000 000 000
lot number 030-123-4567
Model number (212) 45-1234
Account created 2024-11-03 12:34:56
account no longer active since 20240101
account holder since 1999-12-31
routing protocol 224.0.0.5
routing decision 123456789
Account statement 2024/11/03-0001
accounting year 2023 2024, total 12345678
Kontostand 12345678
Kontakt: Mo-Fr 08:00-17:30, Sa 10-14
Telefonkosten 2023: 1234567 Euro
Handy Akku 5000 mAh 12345678 Zyklen
erreichbar Mo 08-12, Di 13-17
Bel Air 90077, model 57 2400 ccm
mobile: 3 GB, 5 GB, 10 GB, 20 GB
Tel. folgt 2025-01-01
T 12.5 14.5 16.5 18.5
P 0.001 0.002 0.003
M 100 200 300 400
F 1-2-3-4-5-6-7
D 1234567
C: 12345678 bytes free
H: 1.00794 He: 4.002602
O: 15.999, N: 14.007
(1) 2345 (2) 3456 (3) 4567
(12) 34 (56) 78
(2020) 1234-5678
see (30) 1234, (31) 5678
ref (040) 1234
0-0-0 1-1-1
01-02-03-04-05-06
00 11 22 33 44 55
0123 4567 89AB CDEF
1800 1900 2000
+1 +2 +3 +4 +5 +6 +7
+10 -20 +30 -40
+49 is Germany, +41 Switzerland
+2.5 % / -1.5 %
UTC+0100 2024
x = +1234567
a+12345678
1-2-3-4-5-6-7-8
2024-11-03T10:22:31+01:00 ok
20241103-102231
Meeting ID: 823 4567 8901
Meeting ID 88123456789 Passcode 482910
Zoom: 931 2345 6789
Passcode: 123456
Verification code 123-456
confirmation number 123456789
Confirmation: 1234 5678
Kundennr 123456789
customer 123456789 churned
invoice 4111111111111111
order 4012888888881881 shipped
transaction 378282246310005 settled
UID 123456789
uid=1000(user) gid=1000(user)
user 1234567890 followed you
ID 123-45-678
id 12345-6789
zip 12345-6789
plus4 902101234
DUNS 12-345-6789
DUNS 123456789
NAICS 541511
CIK 0000320193
FEIN 12-3456789
MICR 123456789
EAN 4006381333931, call number QA76.73
Call number 813.54 F553
call sign W1AW 14.250.00
Dewey 005.133 1234567
Flight 123, seat 45C, gate 6789
3-4-5 triangle, 5-12-13 triangle
192.168 and 10.0 are prefixes
10.0.0.0/8, 172.16.0.0/12
224.0.0.251
1.0.0.0 released
v4.5.6.7-beta
Section 8.1.1.2, 8.1.1.3 and 8.1.1.4
1.1.1 1.1.2 1.1.3.1
fe80 is a prefix
::1
2001:db8 is reserved
aa:bb:cc:dd:ee:ff
12:34:56:78:9a:bc
1:23:45:67
`;
