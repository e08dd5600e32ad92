import { VERSAO_PRODUTO } from '@balcao/contract/constants'

function InfoItem({ nome, children }: { nome: string; children: string }) {
  return (
    <div className="rounded-[10px] bg-sunken px-3 py-2.5 sm:px-4 sm:py-3">
      <dt className="text-sm text-muted">{nome}</dt>
      <dd className="mt-0.5 font-semibold tabular-nums">{children}</dd>
    </div>
  )
}

export interface SystemInfoProps {
  readonly serverOnline: boolean
  readonly conversasAtivas: number
  readonly configLoaded: boolean
}

export function SystemInfo({ serverOnline, conversasAtivas, configLoaded }: SystemInfoProps) {
  return (
    <section aria-labelledby="informacoes" className="card p-4 sm:p-5">
      <h2 id="informacoes" className="text-lg font-bold">
        Informações do Sistema
      </h2>
      <dl className="mt-4 grid grid-cols-2 gap-3 lg:grid-cols-4">
        <InfoItem nome="Servidor">{serverOnline ? 'Online' : 'Offline'}</InfoItem>
        <InfoItem nome="Conversas ativas">{String(conversasAtivas)}</InfoItem>
        <InfoItem nome="Configuração carregada">{configLoaded ? 'Sim' : 'Não'}</InfoItem>
        <InfoItem nome="Versão">{VERSAO_PRODUTO}</InfoItem>
      </dl>
    </section>
  )
}
