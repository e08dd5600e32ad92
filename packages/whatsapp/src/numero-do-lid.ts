import { jidDecode, type WASocket } from 'baileys'
import type { SessionKeys } from './anfitriao.ts'
import { deserialize } from './credenciais.ts'
import type { PhoneOfLid } from './mensagem.ts'

/** Key type in which the library stores the phone number of a LID. */
const KEY_TYPE = 'lid-mapping'

/** Asks the open connection, or the store between two connections. */
export function createPhoneOfLid(keys: Pick<SessionKeys, 'read'>, socket: () => WASocket | null): PhoneOfLid {
  return async (lid) => {
    const atual = socket()
    if (atual !== null) return atual.signalRepository.lidMapping.getPNForLID(lid)
    const lugar = `${jidDecode(lid)?.user ?? ''}_reverse`
    const guardado = (await keys.read(KEY_TYPE, [lugar])).get(lugar)
    return guardado === undefined ? null : `${String(deserialize(guardado))}@s.whatsapp.net`
  }
}
