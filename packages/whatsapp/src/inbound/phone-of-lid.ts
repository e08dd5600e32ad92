import { jidDecode, type WASocket } from 'baileys'
import type { SessionKeys } from '@balcao/connector/port'
import { deserialize } from '#socket/credentials.ts'
import type { PhoneOfLid } from './message.ts'

/** Key type in which the library stores the phone number of a LID. */
const KEY_TYPE = 'lid-mapping'

/** Asks the open connection, or the store between two connections. */
export function createPhoneOfLid(keys: Pick<SessionKeys, 'read'>, socket: () => WASocket | null): PhoneOfLid {
  return async (lid) => {
    const current = socket()
    if (current !== null) return current.signalRepository.lidMapping.getPNForLID(lid)
    const place = `${jidDecode(lid)?.user ?? ''}_reverse`
    const stored = (await keys.read(KEY_TYPE, [place])).get(place)
    return stored === undefined ? null : `${String(deserialize(stored))}@s.whatsapp.net`
  }
}
