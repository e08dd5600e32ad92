import { jidDecode, type WASocket } from 'baileys'
import type { Chaves } from './anfitriao.ts'
import { deTexto } from './credenciais.ts'
import type { NumeroDoLid } from './mensagem.ts'

/** Where the library keeps which number is behind a LID. */
const TIPO = 'lid-mapping'

/** The line knows it, and between two lines the store does: whoever is known by a number is not a stranger meanwhile. */
export function createNumeroDoLid(chaves: Pick<Chaves, 'ler'>, linha: () => WASocket | null): NumeroDoLid {
  return async (lid) => {
    const atual = linha()
    if (atual !== null) return atual.signalRepository.lidMapping.getPNForLID(lid)
    const lugar = `${jidDecode(lid)?.user ?? ''}_reverse`
    const guardado = (await chaves.ler(TIPO, [lugar])).get(lugar)
    return guardado === undefined ? null : `${String(deTexto(guardado))}@s.whatsapp.net`
  }
}
