import { palavras } from './texto.ts'

/** Returns which of the two stop words the whole text is, in any notation; otherwise null. */
export function pedidoDeParada(texto: string): 'parar' | 'sair' | null {
  const frase = palavras(texto).join(' ')
  return frase === 'parar' || frase === 'sair' ? frase : null
}

/** True if the whole text is the word that ends the stop. */
export function pedeRetomada(texto: string): boolean {
  return palavras(texto).join(' ') === 'voltar'
}
