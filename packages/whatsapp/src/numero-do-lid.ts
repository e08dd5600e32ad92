import { jidDecode, type WASocket } from 'baileys'
import type { Chaves } from './anfitriao.ts'
import { deTexto } from './credenciais.ts'
import type { NumeroDoLid } from './mensagem.ts'

/** Key type in which the library stores the phone number of a LID. */
const TIPO = 'lid-mapping'

/** Asks the open connection, or the store between two connections. */
export function createNumeroDoLid(chaves: Pick<Chaves, 'ler'>, linha: () => WASocket | null): NumeroDoLid {
  return async (lid) => {
    const atual = linha()
    if (atual !== null) return atual.signalRepository.lidMapping.getPNForLID(lid)
    const lugar = `${jidDecode(lid)?.user ?? ''}_reverse`
    const guardado = (await chaves.ler(TIPO, [lugar])).get(lugar)
    return guardado === undefined ? null : `${String(deTexto(guardado))}@s.whatsapp.net`
  }
}
