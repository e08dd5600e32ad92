import { type ConnectorRow, CONNECTORS } from '@balcao/contract/connectors'

/**
 * Row of the connector that only the tests have. It is a setup file, because `CONECTORES` derives from the rows when
 * the contract is loaded.
 */
const ROW: ConnectorRow = {
  label: 'Memória',
  ...{ typing: false, marks: false, changesSent: false, namesOurMessages: false },
  ...{ paidPerMessage: false, choices: null, orderPayments: false, replyWindowHours: null, recordingFormats: null },
  pairing: 'code',
  settingsHelp: '',
  dataRecipient: 'Nenhum',
  library: null,
}

Object.assign(CONNECTORS, { memoria: ROW })
