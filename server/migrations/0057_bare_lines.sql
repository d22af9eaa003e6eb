-- A reason is a code. Its words are in contract/bank-shapes.ts.
update bank_sightings set why = 'bare-line' where why = 'no reference and no balance';
