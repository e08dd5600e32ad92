import { CONECTORES } from '@balcao/contract/constants'
import { testConnector } from './conformance.ts'
import { createMemoryNetwork } from './memory-connector.ts'
import { createWebchatNetwork } from './webchat-network.ts'
import { createNavegadorNetwork, createOficialNetwork, createSimuladorNetwork, type TestNetwork } from './networks.ts'

const NETWORKS: Readonly<Record<string, () => Promise<TestNetwork>>> = {
  simulador: createSimuladorNetwork,
  navegador: createNavegadorNetwork,
  oficial: createOficialNetwork,
  memoria: createMemoryNetwork,
  webchat: createWebchatNetwork,
}
/** Its network is in `packages/whatsapp`, which may be absent. */
const ELSEWHERE = 'whatsapp'

for (const name of CONECTORES.filter((conector) => conector !== ELSEWHERE)) {
  const create = NETWORKS[name]
  if (create === undefined) throw new Error(`no fake network for the connector ${name}`)
  testConnector(name, create)
}
