import { fraseDoDono, palavras } from './texto.ts'

/**
 * True if the text contains a trigger as whole words, ignoring case and accents. Triggers are plain text, not
 * patterns.
 */
export function temGatilho(gatilhos: readonly string[], texto: string): boolean {
  const frase = ` ${palavras(texto).join(' ')} `
  return gatilhos.some((gatilho) => {
    const alvo = fraseDoDono(gatilho)
    return alvo !== '' && frase.includes(` ${alvo} `)
  })
}

/** True if the text is exactly a trigger. */
export function ehGatilho(gatilhos: readonly string[], texto: string): boolean {
  const frase = palavras(texto).join(' ')
  return frase !== '' && gatilhos.some((gatilho) => fraseDoDono(gatilho) === frase)
}
