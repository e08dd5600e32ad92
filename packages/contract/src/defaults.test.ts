import { describe, expect, it } from 'vitest'
import { configSchema } from '#entities/config.ts'
import { defaultConfig } from './defaults.ts'
import { listFeriados } from './presets/feriados.ts'
import { MODELOS_MENU } from './presets/menu-templates.ts'
import { EMOJIS, MODELOS_IA, resolveModelo, NOVA_OPCAO } from './presets/editor-presets.ts'

const config = defaultConfig()

describe('defaultConfig', () => {
  it('returns a configuration that the server accepts and that survives JSON', () => {
    expect(configSchema.parse(JSON.parse(JSON.stringify(config)))).toEqual(config)
  })

  it('has five menu options, messages that are not empty, and the default limits', () => {
    expect(config.menu.opcoes.map(({ numero, tipo }) => `${numero} ${tipo}`)).toEqual([
      '1 ia',
      '2 humano',
      '3 loja',
      '4 mensagem',
      '0 finalizar',
    ])
    expect(config.menu.opcoes[1]?.setor).toBe('geral')
    expect(config.menu).toMatchObject({
      expiraEmMinutos: 60,
      tentativas: 3,
      digitando: true,
      juntarMensagens: 'oficial',
      interativo: true,
    })
    for (const text of Object.values(config.menu.mensagens)) expect(text).not.toBe('')
    expect(config.menu.mensagens.foraPeriodo).toContain('8h às 18h')
  })

  it('has the AI off with the default settings', () => {
    expect(config.ia).toMatchObject({
      ativa: false,
      apiKey: '',
      modeloGemini: 'gemini-2.5-flash',
      temperaturaResposta: 0.7,
      comportamentos: { sempreResponder: true, lembrarContexto: true, usarEmojis: true, serFormal: false },
      gatilhos: ['ia', 'inteligencia artificial', 'bot', 'assistente', 'ajuda automatica'],
      esperaSegundos: 6,
      lerMidia: false,
    })
  })

  it('has four setores, hours from Monday to Friday, ratings on and no Client ID', () => {
    expect(config.atendimento.setores.map(({ id, nome, cor, ativo }) => [id, nome, cor, ativo])).toEqual([
      ['vendas', 'Vendas', 'blue', true],
      ['suporte', 'Suporte', 'green', true],
      ['financeiro', 'Financeiro', 'yellow', true],
      ['geral', 'Geral', 'gray', true],
    ])
    const { dias, excecoes, fuso } = config.atendimento.horario
    expect(fuso).toBe('America/Sao_Paulo')
    for (const day of ['seg', 'ter', 'qua', 'qui', 'sex'] as const)
      expect(dias[day]).toEqual([{ inicio: '08:00', fim: '18:00' }])
    expect([dias.sab, dias.dom]).toEqual([[], []])
    expect(new Set(excecoes.map(({ data }) => data.slice(0, 4)))).toEqual(new Set(['2026', '2027']))
    expect(config.atendimento.avaliacao.ativa).toBe(true)
    expect(config.whatsapp).toMatchObject({ conector: 'simulador', clientId: '' })
  })

  it('takes the connector, the instant and the year from the input', () => {
    const other = defaultConfig({ conector: 'oficial', now: '2030-05-01T00:00:00.000Z', year: 2030 })
    expect(other.whatsapp.conector).toBe('oficial')
    expect(other.atendimento.setores[0]?.criadoEm).toBe('2030-05-01T00:00:00.000Z')
    expect(other.atendimento.horario.excecoes.map(({ data }) => data)).toContain('2031-12-25')
  })

  it('returns separate objects on each call', () => {
    const uma = defaultConfig()
    uma.menu.opcoes.length = 0
    uma.atendimento.horario.dias.seg.length = 0
    const other = defaultConfig()
    expect(other.menu.opcoes).toHaveLength(5)
    expect(other.atendimento.horario.dias.seg).toHaveLength(1)
    expect(uma.atendimento.horario.dias.ter).toHaveLength(1)
  })
})

describe('feriadosNacionais', () => {
  it.each([
    [2024, '2024-03-29'],
    [2025, '2025-04-18'],
    [2026, '2026-04-03'],
    [2027, '2027-03-26'],
    [2038, '2038-04-23'],
  ])('puts Good Friday of %d on %s', (ano, data) => {
    expect(listFeriados(ano)).toContainEqual({ data, nome: 'Sexta-feira Santa' })
  })

  it('lists the ten holidays of a year in order of date', () => {
    const dates = listFeriados(2026).map(({ data }) => data.slice(5))
    expect(dates).toEqual([
      ...['01-01', '04-03', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25'],
    ])
  })
})

describe('editor templates', () => {
  it('provides three menus that the server accepts and that use default setores', () => {
    expect(MODELOS_MENU).toHaveLength(3)
    for (const { menuPrincipal, opcoes } of MODELOS_MENU) {
      const menu = { ...config.menu, menuPrincipal, opcoes: [...opcoes] }
      expect(configSchema.safeParse({ ...config, menu }).success).toBe(true)
      for (const { tipo, setor } of opcoes)
        expect(tipo === 'humano').toBe(config.atendimento.setores.some(({ id }) => id === setor))
    }
  })

  it('provides twenty different emojis and a new option with a reply text', () => {
    expect(new Set(EMOJIS).size).toBe(20)
    expect(NOVA_OPCAO).toMatchObject({ titulo: 'Nova Opção', tipo: 'mensagem' })
    expect(NOVA_OPCAO.resposta).not.toBe('')
  })

  it('lists the AI models and maps retired names to the current model', () => {
    expect(MODELOS_IA.map(({ id }) => id)).toEqual(['gemini-2.5-flash', 'gemini-1.5-pro', 'gemini-pro'])
    expect(MODELOS_IA[0]).toEqual({ id: 'gemini-2.5-flash', nome: 'Gemini 1.5 Flash', recomendado: true })
    for (const old of ['gemini-pro', 'gemini-1.5-pro', 'gemini-1.5-flash'])
      expect(resolveModelo(old)).toBe('gemini-flash-latest')
    expect(resolveModelo('gemini-2.5-flash')).toBe('gemini-2.5-flash')
  })
})
