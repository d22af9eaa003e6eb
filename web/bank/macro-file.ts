/**
 * A macro for MacroDroid, in the form in which the app exports its own: one HTTP request for each SMS that has one of
 * some words.
 */

interface MacroParts {
  name: string
  /** Where the SMS goes, by POST as plain text. */
  address: string
  headers: readonly { name: string; text: string }[]
  /** With the app's names for the parts of an SMS, in braces. So have the headers. */
  body: string
  words: readonly string[]
}

/** Numbers that the app has for these. */
const ANY_NUMBER = 3
const ANY_SIM = -1
const POST = 1
const TIME_OUT_S = 30

/** The app takes a file without them, and fails when the macro runs. */
const EMPTY_TEXTS = [
  'allFilesAccessPath basicAuthPassword basicAuthUsername clientCertKeyStoreDisplayName clientCertKeyStoreUri',
  'clientCertPassword contentBodyDynamicFileName contentBodyFileDisplayName contentBodyFileUri',
  'contentBodyFolderDisplayName contentBodyFolderUri localFileUri saveResponseAllFilesAccessPath',
  'saveResponseFileName saveResponseFolderPathDisplayName saveResponseFolderPathUri',
].flatMap((names) => names.split(' '))

/** @returns the file's content */
export function macroFile({ name, address, headers, body, words }: MacroParts): string {
  const part = (type: string) => ({
    m_classType: type,
    m_SIGUID: freshId(),
    m_constraintList: [],
    m_isDisabled: false,
    m_isOrCondition: false,
    disableLogging: false,
  })
  const triggers = words.map((word) => ({
    ...part('IncomingSMSTrigger'),
    m_option: ANY_NUMBER,
    subscriptionId: ANY_SIM,
    m_smsContent: word,
    ignoreCase: true,
    enableRegex: false,
    m_exactMatch: false,
    m_excludes: false,
    m_smsFromList: [],
    m_groupIdList: [],
    m_groupNameList: [],
  }))
  const request = {
    ...part('HttpRequestAction'),
    requestConfig: {
      ...Object.fromEntries(EMPTY_TEXTS.map((each) => [each, ''])),
      requestType: POST,
      urlToOpen: address,
      requestTimeOutSeconds: TIME_OUT_S,
      headerParams: headers.map((header) => ({ paramName: header.name, paramValue: header.text })),
      queryParams: [],
      contentType: 'text/plain',
      contentBodySource: 0,
      contentBodyText: body,
      useStaticContentBodyFile: true,
      followRedirects: true,
      saveResponseType: 0,
    },
  }
  const macro = {
    m_name: name,
    m_GUID: freshId(),
    m_category: name,
    m_description: '',
    m_enabled: true,
    m_completed: true,
    m_triggerList: triggers,
    m_actionList: [request],
    m_constraintList: [],
    localVariables: [],
    breakpoints: [],
    exportedActionBlocks: [],
    exportedSharedScenes: [],
  }
  return JSON.stringify({ macroExportVersion: 1, macro, globalVariables: [] })
}

/** A number that no other part of a macro on the phone has. */
const freshId = (): number => -Math.ceil(Math.random() * Number.MAX_SAFE_INTEGER)
