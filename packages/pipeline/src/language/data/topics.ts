/**
 * English words of one field that are alike but not the same, base forms, fields parted by a bar: to
 * swap one for another changes what a sentence says.
 */
export const TOPICS = `
guitar piano violin flute drum trumpet keyboard cello harp saxophone banjo ukulele | dog cat horse cow
pig sheep goat rabbit hamster mouse rat monkey lion tiger elephant bear wolf fox deer zebra giraffe panda
kangaroo squirrel | bird eagle duck chicken hen parrot owl swan goose pigeon penguin | fish shark whale
dolphin salmon tuna octopus | snake lizard turtle frog crocodile alligator | apple banana orange grape
pear peach lemon lime strawberry mango melon pineapple cherry | potato carrot onion tomato cucumber
garlic pepper lettuce cabbage broccoli bean corn mushroom pumpkin | bread rice pasta pizza sandwich
burger soup salad noodle egg cheese meat beef pork chicken shrimp fish | tea coffee water milk juice wine
beer soda cola | red blue green yellow black white brown orange purple pink gray | man woman boy girl
child kid baby person lady guy teenager adult | run walk jog jump climb swim dance crawl skate ski ride
sprint dive | sing dance play perform | cut slice chop peel dice mince | cook fry boil bake grill roast
stir | car truck bus van taxi motorcycle bicycle train tram | plane helicopter jet rocket | ship boat
ferry canoe kayak | football soccer basketball baseball tennis hockey golf rugby cricket volleyball
cycling swimming | monday tuesday wednesday thursday friday saturday sunday | january february march april
may june july august september october november december | spring summer autumn fall winter | north
south east west | doctor nurse teacher lawyer engineer scientist artist writer actor singer farmer
soldier police judge pilot driver chef | father mother son daughter brother sister uncle aunt cousin
grandfather grandmother nephew niece husband wife | head arm leg hand foot eye ear nose mouth face hair
knee shoulder finger | hat shirt coat dress pants jeans shoe sock glove scarf jacket skirt suit tie |
chair table sofa bed desk shelf lamp couch bench stool | kitchen bathroom bedroom garage office hall |
house apartment building church school hospital hotel office store restaurant museum library station
airport stadium | street road park beach field forest mountain river lake sea ocean desert island valley
| gold silver copper iron steel bronze aluminum tin lead | oil gas coal electricity solar nuclear | dollar
euro pound yen yuan franc peso ruble rupee | second minute hour day week month year decade century |
inch foot yard mile meter kilometer centimeter | ounce pound gram kilogram ton | stock bond share index
fund dollar | shares profit revenue sales earnings | president minister king queen senator governor mayor
ambassador | kill injure wound arrest kidnap | bomb missile rocket gun rifle drone | earthquake flood storm
hurricane tornado fire drought typhoon | china japan india korea russia germany france italy spain britain
england israel iran iraq syria egypt turkey pakistan afghanistan ukraine canada mexico brazil argentina
australia | london paris berlin rome madrid moscow beijing tokyo washington york chicago boston delhi
cairo sydney | english french german spanish italian chinese japanese russian arabic latin portuguese |
chinese japanese korean indian russian german french italian spanish british american israeli iranian
iraqi syrian egyptian turkish pakistani ukrainian canadian mexican brazilian australian european asian
african | math physics chemistry biology history geography | novel poem play song film book essay |
computer phone tablet laptop camera television radio | python java javascript typescript rust ruby perl |
linux windows macos android | google microsoft apple amazon facebook ibm intel oracle | democrat
republican conservative liberal labour socialist | christian muslim jewish hindu buddhist catholic
protestant | bible koran torah | mercury venus earth mars jupiter saturn uranus neptune pluto moon sun
star | oxygen hydrogen nitrogen carbon helium sodium | cancer diabetes flu malaria tuberculosis asthma
pneumonia hiv covid | heart lung liver kidney brain stomach | hydrogen helium lithium`;
