export const FOLDER_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
export const FILE_NAME = /^[0-9a-f]{32}\.[a-z0-9]{2,5}$/

export function requireContaId(contaId: string): void {
  if (!FOLDER_NAME.test(contaId)) throw new Error('invalid account id')
}

export function requireFileName(name: string): void {
  if (!FILE_NAME.test(name)) throw new Error('invalid file name')
}
