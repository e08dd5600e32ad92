import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { completeConfig } from '#entities/config-input.ts'
import { parseProdutoForm, produtoPatchSchema, produtoInputSchema } from '#entities/produto.ts'
import { SAMPLE_CONFIG } from '#testing/samples.ts'
import { requestedStatus } from './admin-usuarios.ts'
import { apiRoutes } from './all.ts'

function problemas(schema: z.ZodMiniType, value: unknown): string[] {
  const parsed = schema.safeParse(value)
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.message)
}

const registration = { nome: ' Ana ', email: ' ANA@Loja.com.br ', senha: '123456' }

describe('POST /auth/register', () => {
  const { body } = apiRoutes.registrar

  it('checks nome, email and senha in this order', () => {
    const texts = ['Nome é obrigatório', 'Email é obrigatório', 'Senha deve ter pelo menos 6 caracteres']
    expect(problemas(body, {})).toEqual(texts)
    expect(problemas(body, { nome: ' ', email: '', senha: '' })[0]).toBe(texts[0])
    expect(problemas(body, { ...registration, email: ' ' })[0]).toBe(texts[1])
    expect(problemas(body, { ...registration, senha: '12345' })).toEqual([texts[2]])
  })

  it('trims and lowercases the e-mail, keeps the password and drops role and limits', () => {
    const sent = { ...registration, senha: '  ÇãO  ', tipo: 'admin', status: 'ativo', limiteMensagensDia: 9 }
    expect(body.parse(sent)).toEqual({
      nome: 'Ana',
      email: 'ana@loja.com.br',
      senha: '  ÇãO  ',
      telefone: '',
      empresa: '',
    })
  })

  it('counts the password length in bytes', () => {
    expect(problemas(body, { ...registration, senha: 'a'.repeat(1024) })).toEqual([])
    expect(problemas(body, { ...registration, senha: '😀'.repeat(256) })).toEqual([])
    expect(problemas(body, { ...registration, senha: 'ç'.repeat(513) })).toEqual(['Senha muito longa'])
  })

  it('rejects values of the wrong type', () => {
    expect(problemas(body, { ...registration, nome: 7 })).toEqual(['Nome é obrigatório'])
    expect(problemas(body, { ...registration, telefone: 11 })).toHaveLength(1)
  })
})

describe('POST /auth/login', () => {
  it('requires e-mail and password without password rules', () => {
    const { body } = apiRoutes.login
    expect(problemas(body, { email: '', senha: '' })).toEqual(['Email é obrigatório', 'Senha é obrigatória'])
    expect(body.parse({ email: ' Eu@X ', senha: ' a ', lembrar: true })).toEqual({
      email: 'eu@x',
      senha: ' a ',
      lembrar: true,
    })
  })
})

describe('PUT /admin/usuarios/:id/status', () => {
  const { body } = apiRoutes.alterarStatusUsuario

  it.each([
    [{ status: 'ativo' }, 'ativo'],
    [{ status: 'inativo' }, 'inativo'],
    [{ ativo: true }, 'ativo'],
    [{ ativo: false }, 'inativo'],
    [{ status: 'ativo', ativo: true }, 'ativo'],
  ])('reads %j as %s', (sent, expected) => {
    expect(requestedStatus(body.parse(sent))).toBe(expected)
  })

  it.each([[{}], [{ status: 'ativo', ativo: false }], [{ status: 'inativo', ativo: true }], [{ status: 'pendente' }]])(
    'rejects %j',
    (sent) => {
      expect(problemas(body, sent)).toHaveLength(1)
    },
  )
})

describe('PUT /config', () => {
  const { body } = apiRoutes.salvarConfig

  it('keeps the stored value of optional fields that are missing', () => {
    const { conector: _a, ...whatsapp } = SAMPLE_CONFIG.whatsapp
    const { esperaSegundos: _b, lerMidia: _c, ...ia } = SAMPLE_CONFIG.ia
    const { menuPrincipal, opcoes, mensagens } = SAMPLE_CONFIG.menu
    const { setores } = SAMPLE_CONFIG.atendimento
    const sent = {
      ...SAMPLE_CONFIG,
      whatsapp,
      ia,
      menu: { menuPrincipal, opcoes, mensagens },
      atendimento: { setores },
    }
    expect(completeConfig(SAMPLE_CONFIG, body.parse(sent))).toEqual(SAMPLE_CONFIG)
  })

  it('takes sent fields and uses promptIA only without a training prompt', () => {
    const sent = { ...SAMPLE_CONFIG, menu: { ...SAMPLE_CONFIG.menu, tentativas: 9 }, promptIA: 'Seja breve', versao: 3 }
    const complete = completeConfig(SAMPLE_CONFIG, body.parse(sent))
    expect(complete).toEqual({
      ...SAMPLE_CONFIG,
      menu: { ...SAMPLE_CONFIG.menu, tentativas: 9 },
      ia: { ...SAMPLE_CONFIG.ia, promptTreinamento: 'Seja breve' },
    })
    const comPrompt = body.parse({ ...sent, ia: { ...SAMPLE_CONFIG.ia, promptTreinamento: 'Outro' } })
    expect(completeConfig(SAMPLE_CONFIG, comPrompt).ia.promptTreinamento).toBe('Outro')
  })

  it('reports the path of each invalid field', () => {
    const opcao = SAMPLE_CONFIG.menu.opcoes[0]
    const parsed = body.safeParse({
      ...SAMPLE_CONFIG,
      menu: { ...SAMPLE_CONFIG.menu, menuPrincipal: ' ', opcoes: [opcao, opcao] },
      whatsapp: { ...SAMPLE_CONFIG.whatsapp, clientId: '../x' },
    })
    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toEqual([
      'whatsapp.clientId',
      'menu.menuPrincipal',
      'menu.opcoes.1.numero',
    ])
  })
})

describe('product forms', () => {
  const form = { nome: 'Bolo', descricao: 'De milho', preco: '19,90', ativo: 'false', ordem: '2' }

  it('reads the text fields of a multipart body', () => {
    expect(produtoInputSchema.parse(parseProdutoForm(form))).toEqual({
      nome: 'Bolo',
      descricao: 'De milho',
      preco: 19.9,
      ativo: false,
      ordem: 2,
      linkCheckout: '',
      ...{ estoque: null, sinonimos: [], categoria: '', grupos: [] },
    })
  })

  it.each([
    [{ preco: '' }, 'Preencha todos os campos obrigatórios'],
    [{ nome: ' ' }, 'Preencha todos os campos obrigatórios'],
    [{ preco: '-1' }, 'O preço mínimo é 0'],
    [{ preco: '1.005' }, 'O preço tem no máximo duas casas decimais'],
    [{ linkCheckout: 'javascript:alert(1)' }, 'Informe um link válido'],
    [{ linkCheckout: 'https://banco.com.br@golpe.test/pagar' }, 'Informe um link válido'],
    [{ linkCheckout: 'https://:senha@golpe.test' }, 'Informe um link válido'],
    [{ linkCheckout: 'https://[loja' }, 'Informe um link válido'],
  ])('rejects %j', (fields, text) => {
    expect(problemas(produtoInputSchema, parseProdutoForm({ ...form, ...fields }))).toEqual([text])
  })

  it('returns only the sent fields of an edit', () => {
    expect(produtoPatchSchema.parse({ ativo: true })).toEqual({ ativo: true })
  })
})

describe('list queries', () => {
  it('accept limit and cursor as text and cap the limit at 200', () => {
    const { query } = apiRoutes.logs
    expect(query.parse({ limite: '50', cursor: 'abc' })).toEqual({ limite: 50, cursor: 'abc' })
    expect(query.parse({ limite: '1000' })).toEqual({ limite: 200 })
    for (const limite of ['0', '1.5', '', 'x']) expect(problemas(query, { limite })).not.toEqual([])
  })
})
