/** Facts about a connector that core and panel need. A new connector needs one row here. */
export interface ConnectorRow {
  readonly label: string
  /** The customer can see that the shop is typing. */
  readonly typing: boolean
  /** Quotes and reactions. */
  readonly marks: boolean
  /** Edits and deletes messages that were sent. */
  readonly changesSent: boolean
  /** The service gives our messages its own id when it accepts them. Otherwise our id is the service's id. */
  readonly namesOurMessages: boolean
  /** The service charges for each message. */
  readonly paidPerMessage: boolean
  /** Menus that leave as buttons or a list: the most options and the most characters of the text. Null: all leave as text. */
  readonly choices: { readonly most: number; readonly textMax: number } | null
  /** The PIX code of an order leaves with its items, its sums and a button that copies the code, where the service allows it. */
  readonly orderPayments: boolean
  /** Hours after the customer's last message in which a reply is allowed. Null: no limit. */
  readonly replyWindowHours: number | null
  /** MIME types of voice messages in order of preference. Null: any type that the browser records. */
  readonly recordingFormats: readonly string[] | null
  /**
   * How a phone is linked. `code`: QR code or typed code, credentials in the database. `browser`: the same through a
   * browser whose profile holds the credentials. `simulated`: on the simulator page. `none`: with a token. `site`:
   * nothing is linked, because customers write on the shop's site.
   */
  readonly pairing: 'code' | 'browser' | 'simulated' | 'none' | 'site'
  readonly settingsHelp: string
  /** Company that receives the messages, for the record of processing activities. */
  readonly dataRecipient: string
  /** Installed library whose version the system page shows. */
  readonly library: string | null
}

const SETTINGS_HELP = 'Como o bot fala com o WhatsApp.'
/** These connectors act as a linked device, which WhatsApp does not allow for automation. */
const LINKED_DEVICE_HELP =
  'A conexão por QR Code não faz parte dos termos do WhatsApp: o número pode ser bloqueado. Prefira um número que não seja o único da empresa.'
const WHATSAPP = 'WhatsApp (Meta), por onde as mensagens passam'

const ROWS = {
  simulador: {
    label: 'Simulador (sem celular)',
    ...{ typing: true, marks: true, changesSent: true, namesOurMessages: false },
    ...{ paidPerMessage: false, choices: null, orderPayments: false, replyWindowHours: null, recordingFormats: null },
    pairing: 'simulated',
    settingsHelp: SETTINGS_HELP,
    dataRecipient: 'Nenhum: o simulador não sai deste servidor',
    library: null,
  },
  whatsapp: {
    label: 'WhatsApp',
    ...{ typing: true, marks: true, changesSent: true, namesOurMessages: false },
    ...{ paidPerMessage: false, choices: null, orderPayments: false, replyWindowHours: null, recordingFormats: null },
    pairing: 'code',
    settingsHelp: LINKED_DEVICE_HELP,
    dataRecipient: WHATSAPP,
    library: 'baileys',
  },
  navegador: {
    label: 'WhatsApp pelo navegador',
    ...{ typing: true, marks: true, changesSent: true, namesOurMessages: true },
    ...{ paidPerMessage: false, choices: null, orderPayments: false, replyWindowHours: null, recordingFormats: null },
    pairing: 'browser',
    settingsHelp: LINKED_DEVICE_HELP,
    dataRecipient: WHATSAPP,
    library: 'whatsapp-web.js',
  },
  oficial: {
    label: 'WhatsApp Business (API oficial)',
    ...{ typing: true, marks: true, changesSent: false, namesOurMessages: true, replyWindowHours: 24 },
    ...{ paidPerMessage: true, choices: { most: 10, textMax: 1_024 }, orderPayments: true },
    recordingFormats: ['audio/ogg;codecs=opus', 'audio/mp4;codecs=mp4a.40.2', 'audio/mp4'],
    pairing: 'none',
    settingsHelp: SETTINGS_HELP,
    dataRecipient: 'WhatsApp Business (Meta), por onde as mensagens passam',
    library: null,
  },
  webchat: {
    label: 'Chat no site',
    ...{ typing: true, marks: false, changesSent: false, namesOurMessages: false, replyWindowHours: null },
    ...{ paidPerMessage: false, choices: null, orderPayments: false },
    recordingFormats: ['audio/mp4;codecs=mp4a.40.2', 'audio/mp4', 'audio/webm;codecs=opus'],
    pairing: 'site',
    settingsHelp: 'Os clientes escrevem em um chat no site da empresa.',
    dataRecipient: 'Nenhum: o chat do site não sai deste servidor',
    library: null,
  },
} satisfies Record<string, ConnectorRow>

export type ConectorTipo = keyof typeof ROWS

export const CONNECTORS: Readonly<Record<ConectorTipo, ConnectorRow>> = ROWS

export function isConector(name: string): name is ConectorTipo {
  return Object.hasOwn(CONNECTORS, name)
}

/** Where a message came in or leaves. `linha`: null for the first line of the account. */
interface Channel {
  readonly conector: string
  readonly linha: string | null
}

/** The stored name of a channel. Two lines of one account may receive the same id of a service. */
export function channelOf({ conector, linha }: Channel): string {
  return linha === null ? conector : `${conector}:${linha}`
}

export function channelParts(channel: string): Channel {
  const [conector = '', linha = null] = channel.split(':')
  return { conector, linha }
}

/** Returns the row of a stored channel name; null for the channel of a connector that was removed. */
export function connectorOf(channel: string): ConnectorRow | null {
  const { conector } = channelParts(channel)
  return isConector(conector) ? CONNECTORS[conector] : null
}

/** False for the chat on the site: people cannot write first there, and it cannot be the main line. */
export function hasNumber(conector: ConectorTipo): boolean {
  return CONNECTORS[conector].pairing !== 'site'
}

/** Names of the connectors that link a phone in this way. */
export function connectorsPairedBy(pairing: ConnectorRow['pairing']): readonly ConectorTipo[] {
  return Object.keys(CONNECTORS)
    .filter(isConector)
    .filter((name) => CONNECTORS[name].pairing === pairing)
}
