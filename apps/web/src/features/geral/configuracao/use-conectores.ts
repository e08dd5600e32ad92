import { CONNECTORS, type ConectorTipo } from '@balcao/contract/connectors'
import { CONECTORES } from '@balcao/contract/constants'
import { useSistemaStatus } from '#shared/data/server-status.ts'

/**
 * Options of the choice of the connector: those of the server, and the chosen one even if the server does not have
 * it. All connectors until the server has answered, because it refuses an absent one anyway.
 */
export function useConectorOptions(chosen: ConectorTipo) {
  const { data } = useSistemaStatus()
  const present = data?.conectores ?? CONECTORES
  return CONECTORES.filter((valor) => valor === chosen || present.includes(valor)).map((valor) => {
    const { label } = CONNECTORS[valor]
    return { valor, rotulo: present.includes(valor) ? label : `${label} (não instalado)` }
  })
}
