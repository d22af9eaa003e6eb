-- The first title has changed. A store that never wrote one gets the new words, so that it still follows the name.
update settings
   set website_title = 'Chaabi: licence keys, delivered instantly'
 where website_title = 'Chaabi: licence keys, at once';
