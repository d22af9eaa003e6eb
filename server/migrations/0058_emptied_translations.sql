-- A translation is emptied with the text that it translates. A notice that was taken away stayed for readers of Hindi.
update settings set translations = translations - 'noticeHi' where notice = '' and translations ? 'noticeHi';
