import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FUSO_PADRAO } from '@balcao/contract/constants'
import { createTestApp, type TestApp } from '#test/app.ts'
import { getConfig, givenPerson } from '#test/builders.ts'

/** A zone of Node that PostgreSQL does not have. */
const UNKNOWN_ZONE = 'US/Pacific-New'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ background: false })
})
afterAll(() => app.close())

const withZone = (config: Awaited<ReturnType<typeof getConfig>>, fuso: string) => ({
  ...config,
  atendimento: { ...config.atendimento, horario: { ...config.atendimento.horario, fuso } },
})

describe('time zone of PUT /config', () => {
  it('rejects a zone that only Node knows with 400, also in a restored version', async () => {
    const person = await givenPerson(app)
    const config = await getConfig(app, person)
    const save = (body: unknown) => app.send('PUT', '/config', { token: person.token, body })
    const error = { codigo: 'dadosInvalidos', detalhes: [{ caminho: 'atendimento.horario.fuso' }] }
    expect(await save(withZone(config, UNKNOWN_ZONE))).toMatchObject({ status: 400, body: error })
    expect((await save(withZone(config, 'America/Manaus'))).status).toBe(200)

    await app.sql(
      `update configuracoes set dados = jsonb_set(dados, '{atendimento,horario,fuso}', to_jsonb($2::text))
        where conta_id = $1 and versao = 1`,
      [person.contaId, UNKNOWN_ZONE],
    )
    const restored = await app.send('POST', '/config/versoes/1/restaurar', { token: person.token })
    expect(restored).toMatchObject({ status: 400, body: error })
    expect(await getConfig(app, person)).toEqual({ ...withZone(config, 'America/Manaus'), versao: 2 })
  })

  it('stores an odd spelling in its usual form and keeps an alias', async () => {
    const person = await givenPerson(app)
    const save = async (fuso: string): Promise<string> => {
      const body = withZone(await getConfig(app, person), fuso)
      expect((await app.send('PUT', '/config', { token: person.token, body })).status).toBe(200)
      return (await getConfig(app, person)).atendimento.horario.fuso
    }
    expect(await save('aMERICA/mANAUS')).toBe('America/Manaus')
    expect(await save('utc')).toBe('UTC')
    expect(await save('US/Pacific')).toBe('US/Pacific')
  })
})

describe('start of the server', () => {
  it('replaces stored zones that PostgreSQL rejects and logs a warning in the account', async () => {
    const broken = await givenPerson(app)
    const healthy = await givenPerson(app)
    await app.sql('update contas set fuso = $2 where id = $1', [broken.contaId, UNKNOWN_ZONE])
    await app.sql("update contas set fuso = 'America/Manaus' where id = $1", [healthy.contaId])
    await app.sql(
      `update configuracoes set dados = jsonb_set(dados, '{atendimento,horario,fuso}', to_jsonb($2::text))
        where conta_id = $1`,
      [broken.contaId, UNKNOWN_ZONE],
    )
    expect((await app.request('GET', '/admin/usuarios')).status).toBe(500)

    await app.server.start()
    expect((await app.request('GET', '/admin/usuarios')).status).toBe(200)
    expect(await getConfig(app, broken)).toMatchObject({
      versao: 2,
      atendimento: { horario: { fuso: FUSO_PADRAO } },
    })
    const { body } = await app.send('GET', '/logs', { token: broken.token })
    expect(body['logs']).toMatchObject([{ tipo: 'warning', mensagem: expect.stringContaining(UNKNOWN_ZONE) }])
    expect(
      await app.sql('select fuso from contas where id = any ($1) order by fuso', [[broken.contaId, healthy.contaId]]),
    ).toEqual([{ fuso: 'America/Manaus' }, { fuso: FUSO_PADRAO }])
  })
})
