import { afterEach, it } from 'vitest'
import { createArchivedServer } from './archived-server.ts'
import { playRestoreDrill } from './restore-drill.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

it('a restore to a point in time sends nothing before the consent and keeps an erased customer erased', async () => {
  const archived = await createArchivedServer()
  open.push(archived.remove)
  await archived.start()
  const admin = await archived.connect('postgres')
  await admin.query('create database balcao')
  await admin.end()
  await playRestoreDrill(archived, open)
})
