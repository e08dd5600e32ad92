import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, PASSWORD, type TestApp } from '#test/app.ts'
import { connectBot, customerSays, getConfig, givenConta } from '#test/builders.ts'

let equipe: TestApp
beforeAll(async () => {
  equipe = await createTestApp({ now: '2026-03-10T15:00:00.000Z', settings: { urlPublica: 'https://painel.test' } })
})
afterAll(() => equipe.close())

it('records acts of an owner on operadores, bot, configuration and maintenance', async () => {
  const dono = await givenConta(equipe)
  const { contaId, email } = dono.usuario
  const operador = { nome: 'Olga', email: 'olga@equipe.test', setores: [] }
  const { body } = await dono.request('POST', '/conta/operadores', operador)
  const id = String(Reflect.get(Object(body['operador']), 'id'))
  await dono.request('PUT', `/conta/operadores/${id}`, { nome: 'Olga Reis', ativo: false })
  await dono.request('DELETE', `/conta/operadores/${id}`)
  await dono.request('POST', '/sistema/manutencao', { senha: 'palpite', ativa: true })
  await dono.request('POST', '/sistema/manutencao', { senha: PASSWORD, ativa: true })
  await dono.request('POST', '/bot/limpar-sessao')
  await dono.request('POST', '/config/versoes/1/restaurar')

  const acts = await equipe.sql(
    `select acao, resultado, quem_email, alvo_nome, detalhe from auditoria
      where conta_id = $1 and acao not in ('entrar', 'contaCadastrada', 'usuarioCriado', 'usuarioAtivado') order by id`,
    [contaId],
  )
  const done = { resultado: 'feito', quem_email: email, alvo_nome: '', detalhe: '' }
  expect(acts).toEqual([
    { ...done, acao: 'operadorConvidado', alvo_nome: 'Olga' },
    { ...done, acao: 'operadorAlterado', alvo_nome: 'Olga Reis', detalhe: 'nome, agora inativo' },
    { ...done, acao: 'operadorRemovido', alvo_nome: 'Olga Reis' },
    { ...done, acao: 'manutencaoIniciada', resultado: 'recusado', detalhe: 'A senha não confere' },
    { ...done, acao: 'manutencaoIniciada' },
    { ...done, acao: 'sessaoLimpa' },
    { ...done, acao: 'configRestaurada', detalhe: 'Versão 1' },
  ])
})

it('records one act per change of key, official API, privacy or stored conversations', async () => {
  const dono = await givenConta(equipe)
  const { contaId } = dono.usuario
  const saveKey = async (apiKey: string): Promise<void> => {
    const config = await getConfig(equipe, dono)
    const { status } = await dono.request('PUT', '/config', {
      ...{ ...config, gemini: { apiKey }, ia: { ...config.ia, apiKey } },
    })
    expect(status).toBe(200)
  }
  const put = async (path: string, body: object): Promise<void> => {
    expect((await dono.request('PUT', path, body)).status).toBe(200)
  }
  const twice = async (run: () => Promise<void>): Promise<void> => {
    await run()
    await run()
  }
  await twice(() => saveKey('AIza-canario-um'))
  await twice(() => saveKey('AIza-canario-dois'))
  await twice(() => saveKey(''))
  const oficial = { telefoneId: '111', contaWhatsappId: '', token: 'canario-token', segredo: '' }
  await twice(() => put('/whatsapp-oficial', oficial))
  await twice(() => put('/whatsapp-oficial', { ...oficial, telefoneId: '222', segredo: 'canario-segredo' }))
  await twice(() => put('/lgpd/privacidade', { guardaLegal: true }))
  await twice(() => put('/lgpd/privacidade', { guardaLegal: false, retencaoDias: 90 }))
  await twice(() => put('/lgpd/privacidade', { aviso: { ativo: true, texto: 'canario do aviso {privacidade}' } }))
  await connectBot(dono)
  await customerSays(dono, '5511987650001', 'oi')
  await customerSays(dono, '5511987650002', 'oi')
  await equipe.idle()
  expect((await dono.request('DELETE', '/conversas')).body).toMatchObject({ removidas: 2 })
  expect((await dono.request('DELETE', '/conversas')).body).toMatchObject({ removidas: 0 })

  const acts = await equipe.sql(
    `select acao, quem_id, ip <> '' as ip, detalhe from auditoria where conta_id = $1
        and acao in ('chaveIaAlterada', 'oficialAlterado', 'privacidadeAlterada', 'conversasLimpas') order by id`,
    [contaId],
  )
  const by = { quem_id: dono.usuario.id, ip: true }
  expect(acts).toEqual([
    { ...by, acao: 'chaveIaAlterada', detalhe: 'Gemini: trocada' },
    { ...by, acao: 'chaveIaAlterada', detalhe: 'Gemini: trocada' },
    { ...by, acao: 'chaveIaAlterada', detalhe: 'Gemini: apagada' },
    { ...by, acao: 'oficialAlterado', detalhe: 'Número, token' },
    { ...by, acao: 'oficialAlterado', detalhe: 'Número, chave secreta' },
    { ...by, acao: 'privacidadeAlterada', detalhe: 'Guarda legal: de desligada para ligada' },
    {
      ...by,
      acao: 'privacidadeAlterada',
      detalhe: 'Guarda legal: de ligada para desligada; Prazo: de 180 para 90 dias',
    },
    { ...by, acao: 'privacidadeAlterada', detalhe: 'Aviso: de desligado para ligado; Texto do aviso trocado' },
    { ...by, acao: 'conversasLimpas', detalhe: '2 conversas' },
  ])
  const [trail] = await equipe.sql(
    `select string_agg(a::text, ' ') || (select string_agg(l::text, ' ') from logs l) as everything from auditoria a`,
  )
  expect(String(trail?.['everything'])).not.toMatch(/canario/)
})
