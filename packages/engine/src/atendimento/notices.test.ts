import { describe, expect, it } from 'vitest'
import { createTranscript, sentTexts, testBotContext } from '#testing/transcript.ts'

const waiting = () => {
  const transcript = createTranscript()
  transcript.customer('atendente')
  return transcript
}

describe('silencioEncerrou', () => {
  it('says goodbye without a question about the service and ends the conversa', () => {
    const r = waiting()
    expect(sentTexts(r.emit({ tipo: 'silencioEncerrou' }))).toEqual(['TCHAU'])
    expect(r.etapa()).toBe('encerrada')
  })

  it('ends in silence after a request to stop', () => {
    const r = createTranscript()
    r.customer('PARAR')
    r.customer('atendente')
    expect(r.emit({ tipo: 'silencioEncerrou' })).toEqual([])
    expect(r.etapa()).toBe('encerrada')
  })
})

describe('avisoAutomatico', () => {
  it('sends the filled text and keeps the state', () => {
    const r = waiting()
    const before = r.state()
    expect(sentTexts(r.emit({ tipo: 'avisoAutomatico', texto: '{nome}, volte logo' }))).toEqual(['Marina, volte logo'])
    expect(r.emit({ tipo: 'avisoAutomatico', texto: '' })).toEqual([])
    expect(r.state()).toEqual(before)
  })

  it('sends nothing after a request to stop', () => {
    const r = createTranscript()
    r.customer('PARAR')
    r.customer('atendente')
    expect(r.emit({ tipo: 'avisoAutomatico', texto: 'oi' })).toEqual([])
  })
})

it('names the place in the queue in the text of the hand-over', () => {
  const text = 'Você é o {posicao}º.[[ Espera: {espera} min.]] {protocolo}'
  const context = testBotContext((config) => void (config.menu.mensagens.aguardandoAtendente = text))
  const calls = [{ posicao: 2, espera: 8 }, { posicao: 2, espera: null }, undefined].map((fila) =>
    sentTexts(createTranscript(context).customer('atendente', fila === undefined ? {} : { fila })).at(-1),
  )
  expect(calls).toEqual([
    'Você é o 2º. Espera: 8 min. 20261123-0001',
    'Você é o 2º. 20261123-0001',
    'Você é o {posicao}º.[[ Espera: {espera} min.]] 20261123-0001',
  ])
})
