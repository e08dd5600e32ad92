import { describe, expect, it } from 'vitest'
import { type IaLine, buildIaConversa } from './conversa.ts'

let n = 0
const linha = (de: IaLine['de'], texto: string, mais: Partial<IaLine> = {}): IaLine => {
  n += 1
  return { id: String(n).padStart(4, '0'), de, texto, ...mais }
}

describe('montarConversa', () => {
  it('joins messages of a question across a greeting of the bot', () => {
    const gatilho = linha('cliente', 'ia')
    const linhas = [gatilho, linha('bot', 'Olá!'), linha('cliente', 'quanto custa'), linha('cliente', 'a caneca?')]
    expect(buildIaConversa(linhas, gatilho.id, true)).toEqual({
      historico: [],
      pergunta: 'ia\nquanto custa\na caneca?',
    })
  })

  it('puts messages answered earlier into the history, if remembering is on', () => {
    const antes = [
      linha('cliente', 'oi'),
      linha('bot', 'Olá!\nMENU'),
      linha('cliente', '1'),
      linha('bot', 'Das 8h às 18h'),
    ]
    const pergunta = linha('cliente', 'e no sábado?')
    expect(buildIaConversa([...antes, pergunta], pergunta.id, true)).toEqual({
      historico: antes.map(({ de, texto }) => ({ de, texto })),
      pergunta: 'e no sábado?',
    })
    expect(buildIaConversa([...antes, pergunta], pergunta.id, false)).toEqual({
      historico: [],
      pergunta: 'e no sábado?',
    })
  })

  it('keeps the last 20 messages and starts with one of the customer', () => {
    const muitas = Array.from({ length: 30 }, (_, i) => linha(i % 2 === 0 ? 'bot' : 'cliente', `m${i}`))
    const pergunta = linha('cliente', 'e então?')
    const { historico } = buildIaConversa([...muitas, pergunta], pergunta.id, true)
    expect(historico.at(0)).toEqual({ de: 'cliente', texto: 'm11' })
    expect(historico.at(-1)).toEqual({ de: 'cliente', texto: 'm29' })
    expect(historico).toHaveLength(19)
  })

  it('masks personal data in question and history', () => {
    const antes = linha('cliente', 'sou a ana@exemplo.com')
    const pergunta = linha('cliente', 'meu cpf é 529.982.247-25')
    expect(buildIaConversa([antes, pergunta], pergunta.id, true)).toEqual({
      historico: [{ de: 'cliente', texto: 'sou a [e-mail oculto]' }],
      pergunta: 'meu cpf é [CPF oculto]',
    })
  })

  it('masks data across the length limit and across two messages', () => {
    const longa = linha('cliente', `${'a'.repeat(1_975)} mande para ana.silva@exemplo.com.br`)
    expect(buildIaConversa([longa], longa.id, true).pergunta).not.toContain('ana.silva')
    const [comeco, fim] = [linha('cliente', 'meu cpf: 529.982'), linha('cliente', '247-25')]
    expect(buildIaConversa([comeco, fim], comeco.id, true).pergunta).toBe('meu cpf: [CPF oculto]')
  })

  it('states the kind of media and whether the model received it', () => {
    const foto = linha('cliente', 'tem esta?', { midia: 'imagem', attached: true })
    const voz = linha('cliente', '', { midia: 'audio' })
    expect(buildIaConversa([foto, voz], foto.id, true).pergunta).toBe(
      '[imagem em anexo] tem esta?\n[áudio que você não pode abrir]',
    )
    const depois = linha('cliente', 'e aí?')
    expect(buildIaConversa([foto, depois], depois.id, true).historico).toEqual([
      { de: 'cliente', texto: '[imagem que você não pode abrir] tem esta?' },
    ])
  })

  it('keeps the last 8,000 characters of a long question', () => {
    const linhas = Array.from({ length: 10 }, (_, i) => linha('cliente', `${i}`.repeat(5_000)))
    const { pergunta } = buildIaConversa(linhas, linhas[0]?.id ?? '', true)
    expect(pergunta).toHaveLength(8_000)
    expect(pergunta.endsWith('9')).toBe(true)
  })
})
