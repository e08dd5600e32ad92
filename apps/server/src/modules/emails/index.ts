export {
  type DayUse,
  findDono,
  mailBudgetUsed,
  mailBotDisconnected,
  mailDailyLimit,
  mailMissedQuotaMarks,
  mailQuotaMarks,
} from './notify-dono.ts'
export { enqueueMail, deleteOldMails, discardMails, listEmails } from './repository.ts'
export { contaActivatedMail, conviteMail, signUpMail, resetPasswordMail, securityMail } from './texts.ts'
export { createMailWorker, type MailWorker } from './worker.ts'
