import { VERSAO_PRODUTO } from '@balcao/contract/constants'

function Dado({ nome, children }: { nome: string; children: string }) {
  return (
    <div className="rounded-[10px] bg-sunken px-3 py-2.5 sm:px-4 sm:py-3">
      <dt className="text-sm text-muted">{nome}</dt>
      <dd className="mt-0.5 font-semibold tabular-nums">{children}</dd>
    </div>
  )
}

export interface InformacoesProps {
  readonly servidorOnline: boolean
  readonly conversasAtivas: number
  readonly configCarregada: boolean
}

export function Informacoes({ servidorOnline, conversasAtivas, configCarregada }: InformacoesProps) {
  return (
    <section aria-labelledby="informacoes" className="card p-4 sm:p-5">
      <h2 id="informacoes" className="text-lg font-bold">
        Informações do Sistema
      </h2>
      <dl className="mt-4 grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Dado nome="Servidor">{servidorOnline ? 'Online' : 'Offline'}</Dado>
        <Dado nome="Conversas ativas">{String(conversasAtivas)}</Dado>
        <Dado nome="Configuração carregada">{configCarregada ? 'Sim' : 'Não'}</Dado>
        <Dado nome="Versão">{VERSAO_PRODUTO}</Dado>
      </dl>
    </section>
  )
}
