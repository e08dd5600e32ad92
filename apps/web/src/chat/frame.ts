import './frame.css'
import type { ChatConfig } from '@balcao/contract/entities/webchat'
import { type ChatApi, createApi, Refused } from './api.ts'
import { Conversation } from './conversation.ts'
import { TAB_PREFIX } from './protocol.ts'
import { connectSite, type Site } from './site.ts'
import { View } from './view.ts'

const DRAFT = `${TAB_PREFIX}rascunho`
const OPEN = `${TAB_PREFIX}aberto`
/** The newest message of the shop that the visitor saw. The server stores no such state for messages of the bot. */
const SEEN = 'visto'
const RETRY_MS = 10_000

/** Null: the line is off. */
async function loadConfig(api: ChatApi): Promise<ChatConfig | null> {
  for (;;) {
    try {
      return await api.config()
    } catch (error) {
      if (error instanceof Refused && error.status < 429) return null
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

function run(api: ChatApi, site: Site, config: ChatConfig): void {
  let lastOfShop: string | null = null
  const markRead = (): void => {
    if (!view.open || document.hidden || lastOfShop === null) return
    site.set(SEEN, lastOfShop)
    conversation.read(lastOfShop)
  }
  const view = new View({
    config,
    draft: site.stored.get(DRAFT) ?? '',
    nome: site.stored.get('nome') ?? '',
    actions: {
      send: (texto, nome) => conversation.send(texto, nome),
      sendFile: (file) => void conversation.sendFile(file),
      typed: (texto) => {
        site.set(DRAFT, texto === '' ? null : texto)
        if (texto !== '') conversation.typing()
      },
      toggled: (open) => {
        site.resize(open ? 'open' : 'closed')
        site.set(OPEN, open ? '1' : null)
        markRead()
      },
      retry: () => conversation.retry(),
      erase: async () => {
        try {
          await conversation.erase()
          view.messages.clear()
          view.say('A conversa foi apagada.')
        } catch (error) {
          view.say(error instanceof Refused ? error.message : 'A conversa não foi apagada. Confira a conexão.')
        }
      },
    },
  })
  const conversation = new Conversation(api, site, {
    shown: (mensagem) => {
      const isNew = view.messages.show(mensagem)
      if (mensagem.de === 'visitante') return
      if (isNew && !view.open) view.countUnread()
      // The history comes in order: messages before this one were seen.
      if (mensagem.id === site.stored.get(SEEN)) view.setUnread(0)
      lastOfShop = mensagem.id
      markRead()
    },
    state: ({ id, estado }) => view.messages.showState(id, estado),
    pending: (id, texto) => view.messages.showPending(id, texto),
    failed: (id, reason) => view.messages.showFailed(id, reason, () => conversation.discard(id)),
    removed: (id) => view.messages.remove(id),
    typing: () => view.messages.showTyping(),
    connection: (state) => {
      view.say(state === 'offline' ? 'Sem conexão. Suas mensagens serão enviadas quando ela voltar.' : '')
    },
    gone: () => site.resize('hidden'),
  })
  view.setOpen(site.stored.get(OPEN) === '1')
  conversation.start()
}

const { origens = '', api: base = '' } = document.body.dataset
const api = createApi(base)
const [site, config] = await Promise.all([connectSite(origens.split(' ')), loadConfig(api)])
if (config !== null) run(api, site, config)
