import { expect, test } from 'vitest'
import { encoded, signedHeaders } from './sign-s3.ts'

const KEYS = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}

test('a call is signed as aws4fetch 1.0.20 signs it', () => {
  const url = new URL(
    `https://examplebucket.s3.amazonaws.com/shop/${encoded("one & (two)!'*")}?list-type=2&prefix=a%2Fb%20c`,
  )
  const headers = signedHeaders(KEYS, 'GET', url, new Date('2013-05-24T00:00:00.123Z'))
  expect(headers['x-amz-date']).toBe('20130524T000000Z')
  expect(headers.authorization).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
      'SignedHeaders=host;x-amz-content-sha256;x-amz-date, ' +
      'Signature=3fdd36a16bc0e5fb35d05ab7286e8eb92c71907fa8fda099d57a3aeee4e19b55',
  )
})
