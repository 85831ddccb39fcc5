/*
 * Words near numbers beside those of the types of personal data, in the form of
 * `PiiTypeDefinition.cues`.
 */

/**
 * Words that name a bank account so plainly that a number after them is one; the other words for bank
 * accounts only say that money moves.
 */
export const ACCOUNT_WORDS: readonly string[] = [
  'bank account*,bankaccount*,bankacc*,bank acc,bank acct*,account number*,accountnumber*,account no,account num,accountno,acct*,a/c,acc no,acc number,iban*',
  'routing number*,routing no,routingnumber*,routing transit*,aba,rtn,sort code,clabe*,savings account*,checking account*',
  'account nr,konto,kontonr,kontonummer*,konto nr,konto iban,bankkonto*,kontoverbindung,compte,compte bancaire,cuenta*,conto,conto corrente,conto bancario,conta,conta bancaria,conta corrente,rekening*,bankrekening*',
  'blz,bankleitzahl,numer konta,nr konta,rachunek*,cislo uctu,szamlaszam,bankszamla*,tilinumero,hesap no,hesap numara*,so tai khoan,nomor rekening,nib',
];

/** Words for things that have a number of their own, so that a number right after them is that. */
export const NUMBERED_WORDS: readonly string[] = [
  'order*,invoice*,tracking*,shipment,parcel,isbn*,issn,ean,upc,gtin,sku*,part,part no,part number,serial*,s/n',
  'ticket*,case no,case id,case number,oid*,uuid*,guid,hash*,sha*,md5,checksum,digest,imei,iccid,imsi',
  'model*,product*,item*,article,batch,lot,catalog*,catalogue*,doi,pmid,rfc,iso,project no,project number,project id,project code,transaction*,warranty,receipt,meter no',
  'bestellung*,bestellnummer,rechnung*,sendung*,artikel*,auftrag*,kundennummer,seriennummer,zahlernummer,matrikel*,aktenzeichen,vertrag*',
  'commande*,facture*,colis,suivi,serie,pedido*,factura*,envio,seguimiento,articulo,ordine*,fattura*,ordernummer,ordrenummer',
  'spedizione,articolo,encomenda*,fatura*,rastreio,artigo,bestelling*,factuur*,zending,zamowien*,faktur*,siparis*,lahetys*,tilausnumero',
  'bestelnummer,artikelnummer,licence,license,policy,claim no,customer no,customer number,customer id,client no,client id,numero client,numero de cliente,numero cliente,klantnummer,member no,membership*',
  'dni,nif,nie,curp,cpf,cnpj,nino,nhs number,vat*,ein,itin,ust id*,steuer id*,steuernummer,codice fiscale,siren,siret,abn,aadhaar,npi,mrn,pesel,bsn,personnummer',
];

/** Words for a number that refers to something, whatever kind of number that is. */
export const REFERENCE_WORDS: readonly string[] = ['ref*,reference*'];

/** Words that say that a number is something harmless. */
export const HARMLESS_WORDS: readonly string[] = [
  'case,version*,release*,build*,firmware,revision,commit*,identifier,id,ids,code,zip*,postal*',
  'page,pages,section,chapter,figure,table,line,lines,row,rows,timestamp,unix,epoch,latitude,longitude',
  'coordinates,lat,lon,long,gps,price*,total*,amount,cost*,date*,dated,postleitzahl,seite,versione,versao,versie',
  'lotto,lottery,count*,volume*,size,impressions,population,revenue,balance,depth,angle,ranking,passcode,zoom,meeting id,call sign,call number,sales',
  'dataset,checkpoint,seed,constant,offset,port,meter,clause,paragraph*,article,annex,kapitel,abschnitt,abbildung,statute,stage',
];
