import { expect, test } from 'vitest'
import { readRestore } from './commands.ts'

const NAME = 'chaabi-20261123T030000Z.backup'
const NOTHING = { replace: false, forget: false, newest: false }

test.each([
  ['s3://shop-copies/chaabi', { from: 's3://shop-copies/chaabi', newest: true }],
  ['s3://shop-copies/chaabi --replace', { from: 's3://shop-copies/chaabi', newest: true, replace: true }],
  [`s3://shop-copies/chaabi/${NAME}`, { from: 's3://shop-copies/chaabi/', named: NAME }],
  [`backup@nas.example:/backups/${NAME}`, { from: 'backup@nas.example:/backups/', named: NAME }],
  [`me@nas:${NAME}`, { from: 'me@nas:', named: NAME }],
  [`s3://b-1/old-${NAME}`, { from: `s3://b-1/old-${NAME}`, newest: true }],
  ['rclone:drive:chaabi --until 2026-11-21', { from: 'rclone:drive:chaabi', until: '2026-11-21' }],
  ['--from s3://shop-copies --newest', { from: 's3://shop-copies', newest: true }],
  [`--from s3://shop-copies ${NAME}`, { from: 's3://shop-copies', named: NAME }],
  [`data/backups/${NAME}`, { named: `data/backups/${NAME}` }],
  ['--forget', { forget: true }],
])('restore %s', (args, wanted) => {
  expect(JSON.parse(JSON.stringify(readRestore(args.split(' '))))).toEqual({ ...NOTHING, ...wanted })
})

test.each([
  '',
  '--newest',
  '--from s3://shop-copies',
  'one.backup two.backup',
  's3://shop-copies two.backup',
  `s3://shop-copies/${NAME} --until 2026-11-21`,
])('restore %s names no file, or two', (args) => {
  expect(() => readRestore(args.split(' ').filter(Boolean))).toThrow('Name the backup file')
})
