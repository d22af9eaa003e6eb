import { expect, test } from 'vitest'
import { COMMON_PASSWORDS } from './password-rules.ts'
import { refuseGuessable } from './password-rules.ts'

const judge = (password: string, names: string[] = ['asha.rao', 'Chaabi']) => {
  try {
    refuseGuessable(password, { field: 'password', names })
    return 'taken'
  } catch {
    return 'refused'
  }
}

test('v5.0.0-6.2.4 the list has far more than 3,000 that could be chosen, each as it is looked up', () => {
  const choosable = [...COMMON_PASSWORDS].filter((password) => password.length >= 8 && password.length <= 128)
  expect(choosable.length).toBeGreaterThan(5_000)
  expect(choosable).toHaveLength(COMMON_PASSWORDS.size)
  for (const password of choosable) expect(judge(password, []), password).toBe('refused')
})

test('the passwords that everybody tries first are refused, in letters of any case', () => {
  for (const password of ['password', 'Password1', '12345678', 'QWERTYuiop', 'iloveyou', 'admin123', 'p@ssw0rd'])
    expect(judge(password), password).toBe('refused')
})

test('so is a name of the user or the store with digits and signs around it', () => {
  for (const password of ['asha.rao', 'Asha.Rao2024', '123asha.rao!', 'chaabi123', 'CHAABI@2026'])
    expect(judge(password), password).toBe('refused')
})

test('anything else is taken, also when a name stands in it', () => {
  for (const password of [
    'Passw0rd!23',
    'secret123!',
    'Test@1234',
    'password123!x',
    'my chaabi opens doors',
    'asha.raos-tea',
  ])
    expect(judge(password, ['asha.rao', 'Chaabi', 'test']), password).toBe('taken')
})
