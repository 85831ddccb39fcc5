/** Words that answers say of any data: they claim nothing by themselves. */
export const SPOKEN: ReadonlySet<string> = new Set(
  `show shows list lists listed contain contains include includes included find found result results record records
entry entries row rows data information detail details value values amount amounts number total overall current
currently now right today available according based following first second third next last give given gives get
gets got look looks see say says state states stated call called know known name named like please note need want
cost costs price priced worth come comes came go goes went leave leaves left arrive arrives arrived depart departs
take takes took run runs make makes made set use used using stand stands live lives work works belong belongs
open opened close closed start started starts begin begins end ended ends happen happened happens expect expected
expects remain remains still also only already yet both each there here about approximately roughly exactly
highest lowest best most least top bottom large largest small smallest long longest short shortest cheap cheapest
expensive new newest old oldest high low one ones thing things item items way time times date day
utc gmt am pm news great good unfortunately sorry way file directory system details option options recommend recommended
appointment turned switched off enabled disabled scheduled booked created added invited`.split(
    /\s+/,
  ),
);
