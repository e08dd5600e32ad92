import { randomUUID } from 'node:crypto'
import type { BinaryNode } from 'baileys'
import type { Agenda } from './agenda.ts'
import { entregarAo } from './correio.ts'
import type { Pacote } from './par-signal.ts'
import { agora, aparelhoDe, bytesDe, emBytes, filho, filhos, inteiroDe, SERVIDOR, stanza } from './stanza.ts'
import type { Aparelho, ChaveAssinada } from './tipos.ts'

/** Below this number of one-time keys the server requests more. */
const POUCAS = 5

/** Keys of a linked device, with one of its one-time keys if any is left. */
export function pacoteDo(aparelho: Aparelho): Pacote {
  const { registro, identidade, assinada } = aparelho
  const deUmaVez = aparelho.deUmaVez.shift()
  if (aparelho.deUmaVez.length < POUCAS) pedirChaves(aparelho)
  return { registro, identidade, assinada, deUmaVez }
}

function pedirChaves(aparelho: Aparelho): void {
  const pedido = ({ tag, attrs }: BinaryNode): boolean => tag === 'notification' && attrs.type === 'encrypt'
  if (aparelho.pendentes.some(pedido)) return
  const count = stanza('count', { value: String(aparelho.deUmaVez.length) })
  entregarAo(
    aparelho,
    stanza('notification', { id: randomUUID(), type: 'encrypt', from: `@${SERVIDOR}`, t: agora() }, [count]),
  )
}

/** Answers a client's `<iq>`. Unknown requests get an empty result. */
export async function responderConsulta(agenda: Agenda, aparelho: Aparelho, iq: BinaryNode): Promise<BinaryNode[]> {
  const pedido = filho(iq)
  switch (`${iq.attrs.xmlns ?? ''}/${iq.attrs.type ?? ''}/${pedido?.tag ?? ''}`) {
    case 'encrypt/get/count':
      return [stanza('count', { value: String(aparelho.deUmaVez.length) })]
    case 'encrypt/get/digest':
      return [stanza('digest', {}, [stanza('registration', {}, emBytes(aparelho.registro, 4))])]
    case 'encrypt/get/key':
      return [stanza('list', {}, await Promise.all(filhos(pedido, 'user').map((user) => pacoteDe(agenda, user))))]
    case 'encrypt/set/rotate':
      aparelho.assinada = lerAssinada(filho(pedido, 'skey'))
      return []
    case 'usync/get/usync': {
      const usuarios = filhos(filho(pedido, 'list'), 'user').map((user) => aparelhosDe(agenda, user))
      return [stanza('usync', { sid: pedido?.attrs.sid }, [stanza('list', {}, usuarios)])]
    }
    case 'privacy/get/privacy':
      return [stanza('privacy', {}, [stanza('category', { name: 'readreceipts', value: 'all' })])]
    case 'w:m/set/media_conn':
      return [stanza('media_conn', { auth: 'auth', ttl: '3600' }, [stanza('host', { hostname: 'mmg.whatsapp.net' })])]
    case 'w:sync:app:state/set/sync':
      return [stanza('sync', {}, filhos(pedido, 'collection').map(semNovidade))]
    default:
      if (iq.attrs.xmlns === 'encrypt' && iq.attrs.type === 'set') guardarChaves(aparelho, iq)
      return []
  }
}

function semNovidade({ attrs }: BinaryNode): BinaryNode {
  return stanza('collection', { name: attrs.name, version: attrs.version ?? '0', has_more_patches: 'false' })
}

function guardarChaves(aparelho: Aparelho, iq: BinaryNode): void {
  aparelho.assinada = lerAssinada(filho(iq, 'skey'))
  for (const chave of filhos(filho(iq, 'list'), 'key')) {
    aparelho.deUmaVez.push({ id: inteiroDe(bytesDe(filho(chave, 'id'))), publica: bytesDe(filho(chave, 'value')) })
  }
}

function lerAssinada(skey: BinaryNode | undefined): ChaveAssinada {
  return {
    id: inteiroDe(bytesDe(filho(skey, 'id'))),
    publica: bytesDe(filho(skey, 'value')),
    assinatura: bytesDe(filho(skey, 'signature')),
  }
}

function aparelhosDe(agenda: Agenda, user: BinaryNode): BinaryNode {
  const numero = bytesDe(filho(user, 'contact')).toString().replace('+', '')
  const jid = user.attrs.jid ?? `${numero}@${SERVIDOR}`
  const pessoa = agenda.achar(jid)
  if (pessoa === undefined) return stanza('user', { jid }, [stanza('contact', { type: 'out' })])
  const ligados = [...(agenda.acharDono(jid)?.aparelhos.values() ?? [])].filter(({ revogado }) => !revogado)
  const devices = [
    stanza('device', { id: '0' }),
    ...ligados.map(({ id }) => stanza('device', { id: String(id), 'key-index': String(id) })),
  ]
  return stanza('user', { jid }, [
    stanza('devices', {}, [stanza('device-list', {}, devices)]),
    ...(jid.endsWith('@lid') ? [] : [stanza('lid', { val: `${pessoa.lid}@lid` })]),
    stanza('contact', { type: 'in' }),
  ])
}

async function pacoteDe(agenda: Agenda, { attrs }: BinaryNode): Promise<BinaryNode> {
  const { jid = '' } = attrs
  const ligado = agenda.acharDono(jid)?.aparelhos.get(aparelhoDe(jid))
  const pacote = ligado === undefined ? await agenda.achar(jid)?.sinal.novoPacote() : pacoteDo(ligado)
  if (pacote === undefined) return stanza('user', { jid }, [stanza('error', { code: '404', text: 'not-found' })])
  return stanza('user', { jid, t: agora() }, chavesDo(pacote))
}

/** A bundle of public keys in wire format, for answers of the server and receipts of a retry. */
export function chavesDo({ registro, identidade, assinada, deUmaVez }: Pacote): BinaryNode[] {
  return [
    stanza('registration', {}, emBytes(registro, 4)),
    stanza('type', {}, Buffer.from([5])),
    stanza('identity', {}, Buffer.from(identidade)),
    stanza('skey', {}, [
      stanza('id', {}, emBytes(assinada.id, 3)),
      stanza('value', {}, Buffer.from(assinada.publica)),
      stanza('signature', {}, Buffer.from(assinada.assinatura)),
    ]),
    ...(deUmaVez === undefined
      ? []
      : [
          stanza('key', {}, [
            stanza('id', {}, emBytes(deUmaVez.id, 3)),
            stanza('value', {}, Buffer.from(deUmaVez.publica)),
          ]),
        ]),
  ]
}
