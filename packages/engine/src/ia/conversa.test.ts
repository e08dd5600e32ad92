import { describe, expect, it } from 'vitest'
import { type IaLine, buildIaConversa } from './conversa.ts'

let n = 0
const line = (de: IaLine['de'], texto: string, mais: Partial<IaLine> = {}): IaLine => {
  n += 1
  return { id: String(n).padStart(4, '0'), de, texto, ...mais }
}

describe('montarConversa', () => {
  it('joins messages of a question across a greeting of the bot', () => {
    const gatilho = line('cliente', 'ia')
    const lines = [gatilho, line('bot', 'Olá!'), line('cliente', 'quanto custa'), line('cliente', 'a caneca?')]
    expect(buildIaConversa(lines, gatilho.id, true)).toEqual({
      historico: [],
      pergunta: 'ia\nquanto custa\na caneca?',
    })
  })

  it('puts messages answered earlier into the history, if remembering is on', () => {
    const before = [
      line('cliente', 'oi'),
      line('bot', 'Olá!\nMENU'),
      line('cliente', '1'),
      line('bot', 'Das 8h às 18h'),
    ]
    const pergunta = line('cliente', 'e no sábado?')
    expect(buildIaConversa([...before, pergunta], pergunta.id, true)).toEqual({
      historico: before.map(({ de, texto }) => ({ de, texto })),
      pergunta: 'e no sábado?',
    })
    expect(buildIaConversa([...before, pergunta], pergunta.id, false)).toEqual({
      historico: [],
      pergunta: 'e no sábado?',
    })
  })

  it('keeps the last 20 messages and starts with one of the customer', () => {
    const muitas = Array.from({ length: 30 }, (_, i) => line(i % 2 === 0 ? 'bot' : 'cliente', `m${i}`))
    const pergunta = line('cliente', 'e então?')
    const { historico } = buildIaConversa([...muitas, pergunta], pergunta.id, true)
    expect(historico.at(0)).toEqual({ de: 'cliente', texto: 'm11' })
    expect(historico.at(-1)).toEqual({ de: 'cliente', texto: 'm29' })
    expect(historico).toHaveLength(19)
  })

  it('masks personal data in question and history', () => {
    const before = line('cliente', 'sou a ana@exemplo.com')
    const pergunta = line('cliente', 'meu cpf é 529.982.247-25')
    expect(buildIaConversa([before, pergunta], pergunta.id, true)).toEqual({
      historico: [{ de: 'cliente', texto: 'sou a [e-mail oculto]' }],
      pergunta: 'meu cpf é [CPF oculto]',
    })
  })

  it('masks data across the length limit and across two messages', () => {
    const long = line('cliente', `${'a'.repeat(1_975)} mande para ana.silva@exemplo.com.br`)
    expect(buildIaConversa([long], long.id, true).pergunta).not.toContain('ana.silva')
    const [beginning, fim] = [line('cliente', 'meu cpf: 529.982'), line('cliente', '247-25')]
    expect(buildIaConversa([beginning, fim], beginning.id, true).pergunta).toBe('meu cpf: [CPF oculto]')
  })

  it('states the kind of media and whether the model received it', () => {
    const foto = line('cliente', 'tem esta?', { midia: 'imagem', attached: true })
    const voz = line('cliente', '', { midia: 'audio' })
    expect(buildIaConversa([foto, voz], foto.id, true).pergunta).toBe(
      '[imagem em anexo] tem esta?\n[áudio que você não pode abrir]',
    )
    const after = line('cliente', 'e aí?')
    expect(buildIaConversa([foto, after], after.id, true).historico).toEqual([
      { de: 'cliente', texto: '[imagem que você não pode abrir] tem esta?' },
    ])
  })

  it('has the transcript of a voice note in question and history, masked', () => {
    const voz = line('cliente', '', { midia: 'audio', transcricao: 'tem bolo? meu cpf é 529.982.247-25' })
    const text = '[áudio transcrito] tem bolo? meu cpf é [CPF oculto]'
    expect(buildIaConversa([voz], voz.id, true).pergunta).toBe(text)
    const after = line('cliente', 'e aí?')
    expect(buildIaConversa([voz, after], after.id, true).historico).toEqual([{ de: 'cliente', texto: text }])
  })

  it('keeps the last 8,000 characters of a long question', () => {
    const lines = Array.from({ length: 10 }, (_, i) => line('cliente', `${i}`.repeat(5_000)))
    const { pergunta } = buildIaConversa(lines, lines[0]?.id ?? '', true)
    expect(pergunta).toHaveLength(8_000)
    expect(pergunta.endsWith('9')).toBe(true)
  })
})
