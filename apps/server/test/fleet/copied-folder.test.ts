import { cp, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { longIt } from './faults.ts'
import { useProcesses } from './fixture.ts'

const fleet = useProcesses('copied-folder', { size: 1 })

longIt?.('starts a copy of a data folder only after the process of the original ended', async () => {
  const { nodes, add, database } = fleet()
  const [original] = nodes
  if (original === undefined) throw new Error('a fleet of one has a node')
  const folder = await mkdtemp('/tmp/balcao-copia-')
  const copy = join(folder, 'dados')
  await cp(original.dataDir, copy, { recursive: true })
  const alive = async (): Promise<unknown[]> =>
    (await database.owner.query('select nome from nos where morto_em is null')).rows
  await expect(add({ DATA_DIR: copy })).rejects.toThrow(`O Balcão "${original.name}" está no ar com uma cópia`)
  expect(original.running()).toBe(true)
  expect(await alive()).toEqual([{ nome: original.name }])

  await original.kill()
  const startedAt = performance.now()
  const second = await add({ DATA_DIR: copy })
  // Not the 10 s after which the row of the dead node expires.
  expect(performance.now() - startedAt).toBeLessThan(8_000)
  expect(await alive()).toEqual([{ nome: second.name }])
  await second.kill()
  await rm(folder, { recursive: true, force: true })
})
