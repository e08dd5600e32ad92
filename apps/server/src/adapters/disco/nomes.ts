export const PASTA = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
export const NOME = /^[0-9a-f]{32}\.[a-z0-9]{2,5}$/

export function conferirConta(contaId: string): void {
  if (!PASTA.test(contaId)) throw new Error('invalid account id')
}

export function conferirNome(nome: string): void {
  if (!NOME.test(nome)) throw new Error('invalid file name')
}
