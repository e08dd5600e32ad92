import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPasswords } from '#security/password.ts'
import { type ContasTestApp, createContasTestApp } from './contas-test-app.ts'
import { waitUntil } from '#test/app.ts'

/** With the cost of the product. */
let app: ContasTestApp
beforeAll(async () => {
  app = await createContasTestApp({ passwords: createPasswords() })
})
afterAll(() => app.close())
const SENHA = 'senha-de-teste'

const post = (path: string, body: unknown, ip: string): ReturnType<ContasTestApp['request']> =>
  app.request('POST', path, { body, ip })

async function activeUser(email: string): Promise<string> {
  const id = await app.register(email, SENHA)
  await app.approve(id)
  return id
}

describe('password hash', () => {
  it('replaces an outdated password hash on login', async () => {
    const id = await activeUser('fabi@loja.test')
    const fraco = await hash(SENHA, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    await app.database.owner.query('update usuarios set senha_hash = $2 where id = $1', [id, fraco])
    await app.login('fabi@loja.test', SENHA)
    const { rows } = await app.database.owner.query('select senha_hash from usuarios where id = $1', [id])
    expect(rows[0]?.senha_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    await app.login('fabi@loja.test', SENHA)
  })
})

describe('hashing gate', () => {
  it('serves another address before the last try of an address that floods it', async () => {
    await activeUser('nei@loja.test')
    let answered = 0
    const flood = Array.from({ length: 200 }, async (_, n) => {
      const answer = await post('/auth/login', { email: `flood${n}@loja.test`, senha: 'palpite' }, '198.51.100.70')
      answered += 1
      return answer
    })
    // By then a shared list is full, and the refused tries have answered.
    await waitUntil(() => answered >= 120)
    expect((await post('/auth/login', { email: 'nei@loja.test', senha: SENHA }, '198.51.100.71')).status).toBe(200)
    expect(answered).toBeLessThan(flood.length)
    const status = (await Promise.all(flood)).map((answer) => answer.status)
    expect(status.filter((one) => one === 401).length).toBeLessThanOrEqual(50)
    expect(status.every((one) => one === 401 || one === 429)).toBe(true)
  })
})
