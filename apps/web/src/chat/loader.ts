import { type FrameOrder, type FrameSize, READY, type SiteChange, type SiteStart, TAB_PREFIX } from './protocol.ts'

/** The script on the site. It opens the frame and stores values for it. All styles are set by script, which every policy allows. */

const FRAME_ID = 'balcao-chat'
const SIZES: Readonly<Record<FrameSize, string>> = {
  hidden: 'width:0;height:0;visibility:hidden',
  closed: 'width:84px;height:84px',
  open: 'width:min(400px,100vw);height:min(640px,100dvh)',
}
const BASE =
  'position:fixed;right:0;bottom:0;border:0;margin:0;padding:0;z-index:2147483000;background:transparent;color-scheme:light;'

function storageOf(name: string): Storage | null {
  try {
    return name.startsWith(TAB_PREFIX) ? sessionStorage : localStorage
  } catch {
    return null
  }
}

interface Store {
  readonly readAll: () => Record<string, string>
  readonly set: (name: string, value: string | null) => void
}

/** Where the site forbids storage, values live as long as the page. */
function createStore(prefix: string): Store {
  const memory = new Map<string, string>()
  return {
    readAll: () => {
      const found = Object.fromEntries(memory)
      for (const name of [TAB_PREFIX, '']) {
        const storage = storageOf(name)
        for (const [key, value] of storage === null ? [] : Object.entries(storage)) {
          if (key.startsWith(prefix)) found[key.slice(prefix.length)] = String(value)
        }
      }
      return found
    },
    set: (name, value) => {
      try {
        const storage = storageOf(name)
        if (value === null) storage?.removeItem(prefix + name)
        else storage?.setItem(prefix + name, value)
        if (storage !== null) return
      } catch {
        // Full or forbidden.
      }
      if (value === null) memory.delete(name)
      else memory.set(name, value)
    },
  }
}

function begin(script: HTMLScriptElement): void {
  const { origin, pathname } = new URL(script.src)
  const chave = pathname.split('/').at(-2) ?? ''
  const prefix = `balcao:${chave}:`
  const { readAll, set } = createStore(prefix)
  const frame = document.createElement('iframe')
  const resize = (size: FrameSize): void => {
    frame.style.cssText = BASE + SIZES[size]
  }
  let port: MessagePort | null = null
  const obey = ({ data }: MessageEvent<FrameOrder>): void => {
    if ('size' in data) resize(data.size)
    else set(data.set, data.value)
  }
  const start = (): void => {
    const channel = new MessageChannel()
    port?.close()
    port = channel.port1
    port.addEventListener('message', obey)
    port.start()
    const { identidade: id = '', assinatura = '', nome } = script.dataset
    const identidade = { id, assinatura, ...(nome === undefined ? {} : { nome }) }
    const message: SiteStart = {
      balcao: 'inicio',
      stored: readAll(),
      pagina: location.origin + location.pathname,
      ...(id === '' ? {} : { identidade }),
    }
    frame.contentWindow?.postMessage(message, origin, [channel.port2])
  }
  addEventListener('message', ({ source, origin: from, data }) => {
    if (source === frame.contentWindow && from === origin && data === READY) start()
  })
  addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(prefix) !== true) return
    port?.postMessage({ name: key.slice(prefix.length), value: newValue } satisfies SiteChange)
  })
  frame.id = FRAME_ID
  frame.title = 'Chat'
  frame.src = `${origin}/chat/${chave}`
  resize('hidden')
  document.body.append(frame)
}

const { currentScript } = document
if (currentScript instanceof HTMLScriptElement && document.getElementById(FRAME_ID) === null) {
  if (document.body === null) addEventListener('DOMContentLoaded', () => begin(currentScript))
  else begin(currentScript)
}
