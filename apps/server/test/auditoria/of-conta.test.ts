import { afterAll, beforeAll, expect, it } from 'vitest'
import { ADMIN_LOGIN, createTestApp, type TestApp } from '#test/app.ts'
import { givenConta } from '#test/builders.ts'

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
  await dono.request('POST', '/sistema/manutencao', { senha: ADMIN_LOGIN.senha, ativa: true })
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
    { ...done, acao: 'manutencaoIniciada', resultado: 'recusado', detalhe: 'Senha de administrador errada' },
    { ...done, acao: 'manutencaoIniciada' },
    { ...done, acao: 'sessaoLimpa' },
    { ...done, acao: 'configRestaurada', detalhe: 'Versão 1' },
  ])
})
