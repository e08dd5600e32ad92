import { palavras } from './texto.ts'

/** The two words that ask for silence, alone in a message, in any writing; null for everything else. */
export function pedidoDeParada(texto: string): 'parar' | 'sair' | null {
  const frase = palavras(texto).join(' ')
  return frase === 'parar' || frase === 'sair' ? frase : null
}

/** The one word that ends the silence. */
export function pedeRetomada(texto: string): boolean {
  return palavras(texto).join(' ') === 'voltar'
}
