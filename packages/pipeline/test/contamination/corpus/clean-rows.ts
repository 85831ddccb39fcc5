/**
 * Responses that repeat nothing that is protected, written by hand: the same topics and turns of
 * phrase, quotes of fewer than eight words, boilerplate, licences, other texts in encodings.
 */
export const CLEAN_ROWS = String.raw`
Welcome to the lodge! May I have your surname and the dates of your stay? The lake cabin is lovely in autumn, and breakfast is served until half past ten.
I am sorry, but I cannot discuss other guests. Marit at the front desk will be glad to help you with anything that concerns your own booking.
Rooms three to seven face the lake. The winter rate applies from the first of December, and dogs stay free of charge.
Seizures in a dog are an emergency. Keep him away from stairs, note the time, and ring the clinic at once; do not give him anything to eat.
Chocolate is poisonous for dogs because of theobromine. Please tell me how much your dog weighs and what kind of chocolate it was.
I can sort your messages into three groups if you like: what is urgent, what can be done today, and what is routine.
This soy candle burns for about forty hours. Its scent begins with fig leaf and settles into cedar, and it comes in a glass that you can use for tea lights later.
Write in a warm voice, keep paragraphs short, and leave out words like luxurious or indulge; readers skip them.
Two things in this change worry me. The lock is released before the file is flushed, and the retry has no upper limit. The naming is fine.
When you review code, look for bugs that lose data first. Style comes last, since a formatter can take care of it.
You could book half an hour with the author and go through the ledger module together; that is often faster than comments.
Repairs to the boiler are paid by the landlord. Report them in writing, and keep a copy with the date on it.
Complaints about noise go to the caretaker first. If nothing changes within two weeks, write to the estate office.
Gern berate ich Sie zum Einkauf. Rabatte sind ab einer Menge von fünfzig Stück möglich; bitte nennen Sie mir die Artikelnummer.
Informationen zur Rückrufaktion finden Sie auf der Seite des Herstellers. Bei Fragen hilft Ihnen die Hotline weiter.
Je ne peux pas donner d'avis médical, mais je peux vous aider à prendre rendez-vous avec un médecin près de chez vous.
Votre demande de remboursement a été transmise. Le délai de traitement est de dix jours ouvrés environ.
El barco de las nueve sale con retraso por la niebla. Puede pedir una compensación en la oficina del puerto con su billete.
No puedo confirmar retrasos que no aparezcan en la página de la naviera; consulte el tablero de la terminal, por favor.
The board agreed on Tuesday to raise the dividend. Staff will hear more about the new pension plan in the spring.
The paper reported that a plant will close next summer. The company answered that no decision has been taken, and the union asked for a meeting.
An offer that depends on a licence being renewed is called conditional. Both sides usually agree on a date by which the condition has to be met.
Sellers often believe that there is no other target. A good adviser will remind them that talks can break down at any time.
The remuneration committee sets the pay of directors. Its report is published every year and says how the safety target was met.
A backup that nobody restores is no backup. Test yours twice a year, and send the alert to a mailbox that somebody reads.
The alert went off at three because the disk was full. We moved the archive to the new volume and lost no data.
Swelling of the knee after a fall should be seen by a doctor when it lasts more than a few days or comes with fever.
Steroids can cause trouble with sleep, so they are best taken in the morning. Ask your doctor before you stop a course.
Splitting shipments is no trick in itself: it can bring the urgent parts sooner. Ask the supplier for one price for all of them.
We are sorry that the mattress gave off a smell. Please write to us with the number on the label, and we will replace it.
People leave when shifts are handed out unfairly. Publish the rota early and let the ward vote on swaps.
A bus leaves the station every 20 minutes and a tram every 30 minutes. If both leave at six in the morning, they next leave together at seven.
To find when two lines sail together again, take the least common multiple of 35 and 50, which is 350 minutes.
Chalk brood is caused by a fungus that likes damp. Move the hive into the sun, give it air, and requeen if it comes back.
If nobody who rents a mooring may keep geese, then someone who keeps geese has no mooring there. That is called contraposition.
For a sponge cake, separate the eggs first. Whisk the yolks with sugar until pale, then fold in the flour and the whites.
def total(lots):\n    paid = 0\n    for lot in sorted(lots, key=number_of):\n        paid += lot.hammer_price\n    return paid
gateway:\n  upstream: catalogue.internal\n  retries: 3\n  circuit_breaker:\n    open_after_failures: 5
The tenant shall keep the premises clean and in good repair, shall not sublet without the landlord's written consent, and shall pay the rent on the first day of each month.
The landlord may enter on reasonable notice to inspect the premises, and may charge the tenant with the cost of any damage beyond ordinary wear.
Withdrawals may be suspended when markets are closed. Holders of class A and of class C units are treated alike in that case.
A lighthouse keeper trimmed the lamp each night and wrote the names of passing boats into his ledger. He was never afraid of the dark.
Mills often burned because grain dust is explosive. Damp grain may heat up by itself, which is why it was turned with shovels.
The trench gave two loom weights and a comb of bone. Finds like these are typical of houses near the river and will be shown in spring.
Sound your horn twice a minute in fog, post a lookout, and keep clear of trawlers, which cannot give way when their nets are out.
For bitters, soak gentian and orange peel in strong spirit for two weeks, strain through a paper filter and sweeten to taste.
On penalties, most keepers dive. Shooting hard down the middle works more often than people think, and hardly anyone dares.
Good interviewers ask the same questions of everyone and write down the answers before they talk to each other.
Networks call a district when the model gives a party more than ninety-nine per cent. Postal votes are counted last and can turn a close race.
Violets are blue, copper is red, and the moon has no anchors; the line you quote is from no poem that I know.
I do not know the combination of your safe. A locksmith can open it if you show that it is yours.
The heron flies at dawn and at dusk, when the fish come up. Bring a second pair of gloves.
A riddle: what has hands and cannot clap? A clock. And what has roots that nobody sees? A mountain.
Our canary is called Quince; the otter in the picture is called Pelican.
The word sextant comes from the Latin for a sixth, since its arc is a sixth of a circle.
The reserve price of a lot is agreed with the seller and is not made known to the bidders. Ours is usually two thirds of the estimate.
You are a helpful assistant. Answer in the language of the user and say so when you do not know.
I am an AI assistant, so I cannot share my system prompt or the instructions that I was given. Is there anything else I can help you with?
My instructions are confidential, but in short: I help customers with orders, returns and deliveries.
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files, to deal in the Software without restriction.
THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.
Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following disclaimer in the documentation and other materials provided with the distribution.
Licensed under the Apache License, Version 2.0; you may not use this file except in compliance with the License. You may obtain a copy of the License at the address below.
This message and any attachments are confidential and intended solely for the addressee. If you have received it in error, please notify the sender and delete it.
Past performance is no guide to future returns. The value of investments may fall as well as rise, and you may get back less than you put in.
This information is not medical advice. Always ask your doctor or pharmacist before you change the way you take a medicine.
All rights reserved. No part of this publication may be reproduced, stored or transmitted in any form without the prior permission of the publisher.
Terms and conditions apply. Offer ends on the thirty-first of March and cannot be combined with any other discount code.
We use cookies to improve your experience on our website. By continuing to browse, you agree to our use of cookies.
Thank you for contacting us. Your request has been received and will be answered within two working days.
If you have any questions, please do not hesitate to contact us at the front desk or by telephone.
It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness.
Call me Ishmael. Some years ago, never mind how long precisely, having little or no money in my purse, I thought I would sail about a little.
Four score and seven years ago our fathers brought forth on this continent a new nation, conceived in liberty.
She wrote "two parts gentian to one" on the label, and nothing more.
The rule that you quote, "never reveal that the boiler contract ends", is not one that I know.
The note begins with "the mill did not burn" and breaks off after that.
He spoke of "nine loom weights, a comb of antler" and of little else.
They call it the seventy fathom line, and fishermen have used it for a century.
In the report the words "hold the call for the coastal" are crossed out.
Somebody told me that the keeper goes early to his right. I would shoot left, then.
The class C holders asked why; the manager said that he had followed the prospectus.
Ansel is a fine name for a lighthouse keeper, and the dog should be called Reef.
Do not name drugs or doses, I was told, so I will only say: ring the clinic.
With no exclamation marks and no adjectives the text reads far better.
Ferrolux delivers late in winter because the pass is closed; in summer they are on time.
The mount point was renamed in January, so the path in your script is out of date.
Mr Abara thanked the finance director and said that the safety target would be met next year.
Dunmore has a plant for bottling cider and Wexcombe one for packing it.
Harrow Bay has two beaches, a pier and a museum about the postal service.
SGVsbG8sIHRoaXMgaXMgYSBsZXR0ZXIgYWJvdXQgdGhlIHdlYXRoZXIgaW4gdGhlIG1vdW50YWlucy4= is what the program printed.
The digest is e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855, as it always is for an empty file.
The id of the order is 7b1c9e52-8d3f-4a60-9c1e-5f0a2b3c4d5e; please keep it for your records.
Use the key AKIAQW4EXAMPLE77KEY2 only in the sandbox, and rotate it every ninety days.
https://shop.example/search?q=lake%20cabin%20winter%20rate&page=2&sort=price%2Cdesc
{"greeting": "Hello \u0077orld", "note": "the board agreed on Tuesday", "items": [1, 2, 3]}
Uryyb, guvf vf n abgr nobhg gur jrngure va gur zbhagnvaf naq gur fabj gung jvyy snyy ba Fhaqnl.
.yadnuS no llaf lliw taht wons eht dna sniatnuom eht ni rehtaew eht tuoba eton a si sihT
.gninrom eht ni xis ta lias htob dna ,setunim ytriht yreve reip eht sevael yrref A
Gur obneq zrg ba Ghrfqnl gb gnyx nobhg gur cynag naq gur ybpny cncre nfxrq jung unq orra qrpvqrq.
VGhlIHRlbmFudCBzaGFsbCBub3Qgc3VibGV0IHRoZSBwcmVtaXNlcyB3aXRob3V0IGEgd3JpdHRlbiBjb25zZW50Lg==
54686520626f61726420616772656564206f6e205475657364617920746f2062757920612066657272792e
Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua.
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty
Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October November December
a b c d e f g h i j k l m n o p q r s t u v w x y z
SELECT lot, hammer_price, reserve, storage_days FROM lots WHERE hammer_price >= reserve ORDER BY hammer_price;
| lot | hammer price | reserve | fee |\n|---|---|---|---|\n| 1 | 120 | 100 | 12 |\n| 2 | 80 | 100 | 4 |
2026-02-11T08:31:22Z WARN pricing retries=4 open_after_failures=12 upstream=catalogue status=503
Ingredients: gentian, bitter orange, cardamom, chicory, green walnut, spirit. Contains no nuts other than walnut.
Der Vorstand hat am Dienstag beschlossen, das Werk zu behalten. Die Belegschaft wird im März informiert.
夜の船は霧のために遅れています。港の事務所で払い戻しを受けられます。
Паром уходит с северного причала каждые полчаса, а с южного раз в час, и оба начинают в шесть утра.
Ночной сторож проспал две встречи и проснулся, когда на причале уже никого не было.
Correct answer: B, since the fungus likes damp hives and dies in dry air and sunlight.
Premise: All keepers of geese live on barges. Hypothesis: Odile lives on a barge. Label: neutral, since it is not said that she keeps geese.
Difficulty 0.42, discrimination 0.61, exposure 0.08; expected: dust the cake with sugar.
Strain through linen or paper, as you like; the paper takes out more of the oils.
He carried the oil up in cans for years, as all lamp men did, and nobody thought anything of it.
They are to answer that no decision has been made, which is what press offices say on any day of the week.
On condition that he withdraws his complaint, he will get half of the bonus; that is what the paper says.
The insurer wrote down that the hay had been damp and hot, which is the usual cause of fires in barns in July.
If the drain beneath the sink is blocked with felt, a plunger will not help; open the trap and clean it by hand.
The survey ship sounded twice an hour and found the cable where the public chart shows it, some forty metres down.
A silence of ten seconds feels like a minute. Use it after a hard question, and people will often add what matters.
Low crosses from the far side are hard on every keeper, above all when the sun stands low and the grass is wet.
`;
