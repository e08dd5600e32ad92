import { fraseDoDono, palavras } from './texto.ts'

/** Whether a text contains a trigger as whole words, case and accents ignored. Triggers are plain text, never patterns. */
export function temGatilho(gatilhos: readonly string[], texto: string): boolean {
  const frase = ` ${palavras(texto).join(' ')} `
  return gatilhos.some((gatilho) => {
    const alvo = fraseDoDono(gatilho)
    return alvo !== '' && frase.includes(` ${alvo} `)
  })
}

/** Whether a text is exactly a trigger. */
export function ehGatilho(gatilhos: readonly string[], texto: string): boolean {
  const frase = palavras(texto).join(' ')
  return frase !== '' && gatilhos.some((gatilho) => fraseDoDono(gatilho) === frase)
}
