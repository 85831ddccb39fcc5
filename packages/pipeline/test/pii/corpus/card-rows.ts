/** Texts with card numbers and social security numbers; the notation is that of `parse-rows.ts`. */
export const CARD_ROWS = String.raw`
*2 Card: [[c:{{luhn 4### #### #### ####}}]] exp 04/28 cvv 123
*2 my visa is [[c:{{luhn 4###############}}]] thx
MasterCard [[c:{{luhn 52## #### #### ####}}]]
MC 2-series: [[c:{{luhn 2223 #### #### ####}}]], valid 11/27
Mastercard [[c:{{luhn 54##-####-####-####}}]].
*2 Amex [[c:{{luhn 37## ###### #####}}]]
Amex: [[c:{{luhn 34#############}}]], CID 1234
American Express ending is irrelevant, whole number [[c:{{luhn 3714-######-#####}}]]
Discover [[c:{{luhn 6011 #### #### ####}}]]
discover card [[c:{{luhn 644#############}}]] declined
Diners [[c:{{luhn 3056 ###### ####}}]]
Diners Club: [[c:{{luhn 36############}}]]
JCB [[c:{{luhn 3530 #### #### ####}}]]
JCB カード番号 [[c:{{luhn 3566############}}]]
UnionPay [[c:{{luhn 6212 #### #### ####}}]]
银联卡号：[[c:{{luhn 622588##########}}]]
银行卡 [[c:{{luhn 6217 #### #### #### ###}}]]
Maestro [[c:{{luhn 6759 #### #### ####}}]]
RuPay card no [[c:{{luhn 6521 #### #### ####}}]]
Карта МИР: [[c:{{luhn 2202 #### #### ####}}]]
Номер карты [[c:{{luhn 4276 #### #### ####}}]], срок 05/27
Kreditkartennummer: [[c:{{luhn 4### #### #### ####}}]]
Meine Kreditkarte {{luhnmark 5412############}} wurde zweimal belastet.
Carte bancaire : [[c:{{luhn 4970 #### #### ####}}]], exp. 09/26
Numéro de carte {{luhnmark 4974############}}
Tarjeta de crédito: [[c:{{luhn 4### #### #### ####}}]]
Mi tarjeta es {{luhnmark 5491-####-####-####}} y caduca en mayo
Carta di credito n. {{luhnmark 4023 #### #### ####}}
Cartão de crédito: {{luhnmark 5502 #### #### ####}}
Creditcardnummer {{luhnmark 5265############}}
Numer karty: {{luhnmark 4246 #### #### ####}}
Kortnummer {{luhnmark 4581 #### #### ####}}
カード番号：{{luhnmark 4980 #### #### ####}}
信用卡号 {{luhnmark 4392############}}
بطاقة الائتمان {{luhnmark 4### #### #### ####}}
क्रेडिट कार्ड नंबर {{luhnmark 4### #### #### ####}}
카드번호: {{luhnmark 5365-####-####-####}}
Kart numarası: {{luhnmark 5456 #### #### ####}}
{"card_number":"{{luhnmark 4###############}}","cvv":"991","exp":"12/29"}
{"pan": {{luhnmark 5105############}}}
{"payment":{"type":"amex","number":"{{luhnmark 37#############}}"}}
INSERT INTO cards (pan, holder) VALUES ('{{luhnmark 4###############}}', 'J DOE');
cc={{luhnmark 4###############}}&exp=0927
https://pay.example/charge?card={{luhnmark 5200############}}&amount=10
card_no: {{luhnmark 6011############}}
<input name="ccnum" value="{{luhnmark 4### #### #### ####}}">
<td>{{luhnmark 4### #### #### ####}}</td><td>02/27</td>
| Jane Roe | {{luhnmark 5318 #### #### ####}} | 01/28 |
name,card,exp\nAl,{{luhnmark 4###############}},01/27\nBo,{{luhnmark 5555############}},02/27
2025-03-01 DEBUG charge {{luhnmark 4###############}} amount=19.99 currency=EUR
I typed {{luhnmark 4### #### #### ####}} into the chat by accident, can you delete it?
pls charge {{luhnmark 4###-####-####-####}} instead
Test cards: [[c:4111 1111 1111 1111]], [[c:4242424242424242]] and [[c:5555 5555 5555 4444]]
Use [[c:378282246310005]] for Amex tests.
card {{luhnmark 4###_####_####_####}} with hard spaces
Karte {{luhnmark 4###  ####  ####  ####}} (zwei Leerzeichen)
{{luhnmark 4### #### #### ####}}
{{luhnmark 5399############}}
"{{luhnmark 4### #### #### ####}}"
Old: {{luhnmark 4### #### #### ####}}; new: {{luhnmark 4### #### #### ####}}
Order 88-1921, card {{luhnmark 4### #### #### ####}}, total $88.10
Booking form\nName: L. Ito\nCard no.: {{luhnmark 3528 #### #### ####}}\nExpiry: 10/26\nCVC: 321
He read it out: {{luhnmark 4### #### #### ####}}, expiring August.
AMEX{{sp}}{{luhnmark 3782 ###### #####}}
Fwd: stolen card data {{luhnmark 4###############}}|04|2027|221
{{luhnmark 4###############}}:04/27:221
Please refund to the same card, {{luhnmark 4### #### #### ####}}.
Lost my card {{luhnmark 4############}} yesterday
card number {{luhnmark 2131###########}} (JCB, 15 digits)
card number {{luhnmark 503812######}} (Maestro)
Maestro-Karte {{luhnmark 6304##########}}
My card {{luhnmark 60115564########}} expires this month - please let me know process for renewal
💳 {{luhnmark 4### #### #### ####}}
💳{{luhnmark 5223############}}💳
`;
